package io.ballast.storm.bench.cluster;

import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** The talkative half of a pair: several readings of each flight, all to one consumer. */
final class RadarBolt extends BaseBasicBolt {
  private static final long serialVersionUID = 1L;

  /** Tuples out for one in. */
  static final int READINGS = 5;

  @Override
  public void execute(Tuple flight, BasicOutputCollector collector) {
    for (int reading = 0; reading < READINGS; reading++) {
      collector.emit(
          new Values(flight.getStringByField("tail"), flight.getIntegerByField("delay") + reading));
    }
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declarer.declare(new Fields("tail", "delay"));
  }
}
