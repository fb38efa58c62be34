package io.ballast.storm.demo;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Adds to each flight how late its plane usually is. */
public final class PlaneDelayBolt extends BaseBasicBolt {
  private static final long serialVersionUID = 1L;

  private final int resamples;

  private transient Map<String, DelayWindow> windows;

  public PlaneDelayBolt(int resamples) {
    this.resamples = resamples;
  }

  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context) {
    windows = new HashMap<>();
  }

  @Override
  public void execute(Tuple flight, BasicOutputCollector collector) {
    String tail = flight.getStringByField("tail");
    int delay = flight.getIntegerByField("delay");
    DelayWindow window =
        windows.computeIfAbsent(tail, key -> new DelayWindow(resamples, key.hashCode()));
    collector.emit(
        new Values(
            flight.getStringByField("carrier"),
            flight.getStringByField("origin"),
            flight.getStringByField("dest"),
            delay,
            window.add(delay).mean()));
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declarer.declare(new Fields("carrier", "origin", "dest", "delay", "usual"));
  }
}
