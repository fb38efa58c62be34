package io.ballast.storm.bench.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ballast.storm.demo.FlightsTopology;
import io.ballast.storm.demo.KeyDelayBolt;
import io.ballast.storm.demo.PlaneDelayBolt;
import io.ballast.storm.demo.TopDelaysBolt;
import java.io.IOException;
import java.util.List;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/**
 * Submits the topology that is measured. What a flight costs is a number of bootstrap samples and
 * not a time: a thread that is kept waiting works no less.
 *
 * <pre>
 * flights (4) -> delay-by-plane (4) -> delay-by-route (8, even: 4)    -> top
 *                                   -> delay-by-carrier (16)          -> top
 *             -> radar (1, even: 4) -> track (1, even: 4), 5 tuples a flight
 * </pre>
 *
 * <p>Skewed, the flights go by their keys: four carriers fly 58 % of them, and Storm's hash and its
 * EvenScheduler bring their executors of the heaviest stage, delay-by-carrier, to one node of four
 * (see {@link FlightsTopology}). Even, the same work is dealt by shuffle grouping, and every
 * component has as many executors as each of four nodes has the same number of.
 */
final class Bench {
  static final String NAME = "bench";

  /** One a node: each more would take a fifth of a node when idle. */
  private static final int WORKERS = 4;

  private static final int MESSAGE_TIMEOUT_SECS = 30;
  private static final double PLANE_MS = 0.2;
  private static final double ROUTE_MS = 0.4;
  private static final double CARRIER_MS = 3;
  private static final double TRACK_MS = 0.2;

  private Bench() {}

  /**
   * Arguments: the folder of {@link Order}, {@code skewed} or {@code even}, the bootstrap samples
   * that are a millisecond's work, the part of the usual work that a flight brings, {@code
   * topology.max.spout.pending}, then settings of the topology as KEY=VALUE, the value in JSON.
   */
  public static void main(String[] words) throws Exception {
    boolean even = words[1].equals("even");
    double samplesPerMs = Double.parseDouble(words[2]) * Double.parseDouble(words[3]);
    Config conf = FlightsTopology.conf(MESSAGE_TIMEOUT_SECS);
    conf.setMaxSpoutPending(Integer.parseInt(words[4]));
    conf.setNumWorkers(WORKERS);
    // Storm's default; the demo counts every tuple, which costs.
    conf.setStatsSampleRate(0.05);
    // Idle executors that wake up often would take a tenth of a node more.
    conf.put(Config.TOPOLOGY_BOLT_WAIT_PROGRESSIVE_LEVEL3_SLEEP_MILLIS, 5);
    conf.put(Config.TOPOLOGY_SPOUT_WAIT_PROGRESSIVE_LEVEL3_SLEEP_MILLIS, 3);
    for (String setting : List.of(words).subList(5, words.length)) {
      int equals = setting.indexOf('=');
      conf.put(setting.substring(0, equals), value(setting.substring(equals + 1)));
    }
    StormSubmitter.submitTopology(NAME, conf, topology(words[0], even, samplesPerMs));
  }

  private static Object value(String text) throws IOException {
    return new ObjectMapper().readValue(text, Object.class);
  }

  private static StormTopology topology(String folder, boolean even, double samplesPerMs) {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("flights", new PacedFlights(folder), 4);
    group(
        even,
        "flights",
        builder.setBolt("delay-by-plane", new PlaneDelayBolt(samples(PLANE_MS, samplesPerMs)), 4),
        "tail");
    group(
        even,
        "delay-by-plane",
        builder.setBolt(
            "delay-by-route",
            new KeyDelayBolt(samples(ROUTE_MS, samplesPerMs), "origin", "dest"),
            even ? 4 : 8),
        "origin",
        "dest");
    group(
        even,
        "delay-by-plane",
        builder.setBolt(
            "delay-by-carrier", new KeyDelayBolt(samples(CARRIER_MS, samplesPerMs), "carrier"), 16),
        "carrier");
    builder.setBolt("radar", new RadarBolt(), even ? 4 : 1).shuffleGrouping("flights");
    builder
        .setBolt(
            "track",
            new KeyDelayBolt(samples(TRACK_MS / RadarBolt.READINGS, samplesPerMs), "tail"),
            even ? 4 : 1)
        .shuffleGrouping("radar");
    builder
        .setBolt("top", new TopDelaysBolt(), even ? 4 : 1)
        .shuffleGrouping("delay-by-route")
        .shuffleGrouping("delay-by-carrier");
    return builder.createTopology();
  }

  private static void group(boolean even, String from, BoltDeclarer bolt, String... key) {
    if (even) {
      bolt.shuffleGrouping(from);
    } else {
      bolt.fieldsGrouping(from, new Fields(key));
    }
  }

  private static int samples(double ms, double samplesPerMs) {
    return (int) Math.max(1, Math.round(ms * samplesPerMs));
  }
}
