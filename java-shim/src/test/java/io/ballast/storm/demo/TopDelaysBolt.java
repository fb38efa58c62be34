package io.ballast.storm.demo;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The carriers and routes that are surely late, worst first, logged now and then. */
public final class TopDelaysBolt extends BaseBasicBolt {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(TopDelaysBolt.class);
  private static final int SHOWN = 5;
  private static final int LOG_EVERY = 10_000;

  private transient Map<String, Double> delays;
  private transient long seen;

  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context) {
    delays = new HashMap<>();
  }

  @Override
  public void execute(Tuple estimate, BasicOutputCollector collector) {
    delays.put(estimate.getStringByField("key"), estimate.getDoubleByField("delay"));
    seen++;
    if (seen % LOG_EVERY == 0) {
      LOG.info("surely late: {}", worst());
    }
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    // The end of the topology: nothing goes out.
  }

  private List<String> worst() {
    return delays.entrySet().stream()
        .sorted(
            Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(SHOWN)
        .map(entry -> "%s %.0f min".formatted(entry.getKey(), entry.getValue()))
        .toList();
  }
}
