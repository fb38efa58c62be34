package io.ballast.storm.demo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Running delay of each key (a carrier, a route) and the part of it that is beyond chance. */
public final class KeyDelayBolt extends BaseBasicBolt {
  private static final long serialVersionUID = 1L;

  private final String[] keyFields;
  private final int resamples;

  private transient Map<String, DelayWindow> windows;

  /**
   * @param resamples bootstrap samples a flight
   * @param keyFields fields of the flight that make up the key
   */
  public KeyDelayBolt(int resamples, String... keyFields) {
    this.resamples = resamples;
    this.keyFields = keyFields.clone();
  }

  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context) {
    windows = new HashMap<>();
  }

  @Override
  public void execute(Tuple flight, BasicOutputCollector collector) {
    String key =
        List.of(keyFields).stream().map(flight::getStringByField).collect(Collectors.joining("-"));
    DelayWindow window =
        windows.computeIfAbsent(key, name -> new DelayWindow(resamples, name.hashCode()));
    DelayWindow.Estimate estimate = window.add(flight.getIntegerByField("delay"));
    collector.emit(new Values(key, estimate.surelyAbove()));
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declarer.declare(new Fields("key", "delay"));
  }
}
