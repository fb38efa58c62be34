package io.ballast.storm.demo;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/**
 * Running delay statistics of planes, routes and carriers.
 *
 * <pre>
 * flights (2) -tail-> delay-by-plane (4) -origin,dest-> delay-by-route (8 executors, 16 tasks) -> top (1)
 *                                        -carrier-----> delay-by-carrier (16)                 -> top
 * </pre>
 *
 * <p>The skew is the data's: UA, B6, DL and AA fly 58 % of the flights, Storm's hash of their codes
 * puts them on tasks 11, 3, 7 and 15 of sixteen, and EvenScheduler deals executors round the nodes
 * in the order of their tasks. So with four nodes 72 % of the carriers' work meets on one of them.
 */
public final class FlightsTopology {
  static final String NAME = "flights";
  static final int WORKERS = 8;

  private FlightsTopology() {}

  static StormTopology build(Sizing sizing) {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("flights", new FlightSpout(sizing.flightsPerSec()), 2);
    builder
        .setBolt("delay-by-plane", new PlaneDelayBolt(sizing.planeResamples()), 4)
        .fieldsGrouping("flights", new Fields("tail"));
    builder
        .setBolt("delay-by-route", new KeyDelayBolt(sizing.routeResamples(), "origin", "dest"), 8)
        .setNumTasks(16)
        .fieldsGrouping("delay-by-plane", new Fields("origin", "dest"));
    builder
        .setBolt("delay-by-carrier", new KeyDelayBolt(sizing.carrierResamples(), "carrier"), 16)
        .fieldsGrouping("delay-by-plane", new Fields("carrier"));
    builder
        .setBolt("top", new TopDelaysBolt(), 1)
        .globalGrouping("delay-by-route")
        .globalGrouping("delay-by-carrier");
    return builder.createTopology();
  }

  /**
   * @param messageTimeoutSecs after which a tuple tree that is not complete has failed
   */
  public static Config conf(int messageTimeoutSecs) {
    Config conf = new Config();
    conf.setNumWorkers(WORKERS);
    conf.setNumAckers(4);
    conf.setMessageTimeoutSecs(messageTimeoutSecs);
    // Every tuple counted: the demo judges Ballast by these statistics.
    conf.setStatsSampleRate(1.0);
    // Spouts and ackers do next to nothing here; Storm's default request of a tenth of a core each
    // would outweigh the bolts wherever a request stands in for a measurement.
    conf.put(Config.TOPOLOGY_COMPONENT_CPU_PCORE_PERCENT, 1.0);
    conf.put(Config.TOPOLOGY_ACKER_CPU_PCORE_PERCENT, 1.0);
    // Idle executors sleep at once: forty of them that spin would take a core from the two there
    // are.
    conf.put(Config.TOPOLOGY_BOLT_WAIT_PROGRESSIVE_LEVEL1_COUNT, 0);
    conf.put(Config.TOPOLOGY_BOLT_WAIT_PROGRESSIVE_LEVEL2_COUNT, 0);
    conf.put(Config.TOPOLOGY_BOLT_WAIT_PROGRESSIVE_LEVEL3_SLEEP_MILLIS, 2);
    return conf;
  }
}
