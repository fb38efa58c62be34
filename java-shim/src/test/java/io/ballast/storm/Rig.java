package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * A prepared scheduler on a bench: real Storm classes, the real engine unless another is given, a
 * clock that only moves when told, planning when told. One {@link #round} is one call of {@code
 * schedule}, ten seconds after the one before.
 */
final class Rig implements AutoCloseable {
  /** Seconds between scheduling rounds: {@code nimbus.monitor.freq.secs}. */
  static final double ROUND_SECS = 10;

  /** A clock that stands still between rounds. */
  static final class TestTicker implements Ticker {
    private long nanos;

    void advance(double secs) {
      nanos += (long) (secs * 1e9);
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public Instant now() {
      return Instant.parse("2026-11-30T00:00:00Z").plusNanos(nanos);
    }
  }

  final TestTicker ticker = new TestTicker();
  final LogLines log = new LogLines();
  final BallastScheduler scheduler;
  private final Map<String, Object> settings = new HashMap<>();
  private Loads loads = Loads.NONE;
  private Engine.Source engine;
  private boolean prepared;

  private Rig() {
    scheduler =
        new BallastScheduler(
            new Parts.Kit(
                ticker,
                conf -> engine != null ? engine : NativeEngine.source(conf),
                (conf, homes) -> () -> loads,
                false));
  }

  /** With the library that cargo built. */
  static Rig withEngine() {
    return new Rig().set("native.path", library().toString());
  }

  /** With an engine made up by the test. */
  static Rig withEngine(Engine engine) {
    Rig rig = new Rig();
    rig.engine = () -> engine;
    return rig;
  }

  /** Where the build put the engine's library. */
  static Path library() {
    return Path.of(System.getProperty("ballast.test.native")).toAbsolutePath().normalize();
  }

  /** A key of storm.yaml without {@code ballast.}; before the first round. */
  Rig set(String key, Object value) {
    settings.put("ballast." + key, value);
    return this;
  }

  /** Plans are carried out, at once and as far as the engine sees fit. */
  Rig applies() {
    return set("mode", "apply");
  }

  void prepare(ClusterBuilder state) {
    prepare(state, new StormMetricsRegistry());
  }

  void prepare(ClusterBuilder state, StormMetricsRegistry registry) {
    Map<String, Object> conf = state.stormConf();
    conf.putAll(settings);
    scheduler.prepare(conf, registry);
    prepared = true;
  }

  /** One scheduling round on a new cluster of this state; what was decided goes back into it. */
  Cluster round(ClusterBuilder state) {
    Cluster cluster = state.build();
    round(state, cluster);
    state.placedAs(cluster);
    return cluster;
  }

  /** One scheduling round on this very cluster. */
  void round(ClusterBuilder state, Cluster cluster) {
    if (!prepared) {
      prepare(state);
    }
    loads = state.loads();
    scheduler.schedule(cluster.getTopologies(), cluster);
    ticker.advance(ROUND_SECS);
  }

  /** One planning round for what the last scheduling round left. */
  Reply plan() {
    scheduler.parts().planner().planOnce();
    return scheduler.parts().planner().latest();
  }

  /** What Storm's own scheduler makes of the same state. */
  static Cluster stock(ClusterBuilder state) {
    Cluster cluster = state.build();
    new DefaultScheduler().schedule(cluster.getTopologies(), cluster);
    return cluster;
  }

  /** Equal as Nimbus compares them: executors, slots and workers' resources. */
  static void assertSame(Cluster expected, Cluster actual) {
    assertEquals(workers(expected), workers(actual));
    assertEquals(expected.getWorkerResourcesMap(), actual.getWorkerResourcesMap());
  }

  /** Topology to slot to first tasks, fit to be read in a failure message. */
  static Map<String, Map<String, Set<Integer>>> workers(Cluster cluster) {
    Map<String, Map<String, Set<Integer>>> workers = new TreeMap<>();
    for (SchedulerAssignment assignment : cluster.getAssignments().values()) {
      Map<String, Set<Integer>> slots =
          workers.computeIfAbsent(assignment.getTopologyId(), id -> new TreeMap<>());
      for (Map.Entry<ExecutorDetails, WorkerSlot> e : assignment.getExecutorToSlot().entrySet()) {
        slots
            .computeIfAbsent(e.getValue().getId(), s -> new TreeSet<>())
            .add(e.getKey().getStartTask());
      }
    }
    workers.values().removeIf(Map::isEmpty);
    return workers;
  }

  /** Workers that ran before and have other executors, or are gone, after: killed by Storm. */
  static int restarts(Cluster before, Cluster after) {
    int restarts = 0;
    Map<String, Map<String, Set<Integer>>> then = workers(before);
    Map<String, Map<String, Set<Integer>>> now = workers(after);
    for (var topology : then.entrySet()) {
      for (var worker : topology.getValue().entrySet()) {
        Set<Integer> kept = now.getOrDefault(topology.getKey(), Map.of()).get(worker.getKey());
        restarts += worker.getValue().equals(kept) ? 0 : 1;
      }
    }
    return restarts;
  }

  /** Load of each node in percent of one core, by measured loads. */
  static Map<String, Double> points(ClusterBuilder state, Cluster cluster) {
    Map<String, Double> points = new TreeMap<>();
    new HashSet<>(cluster.getSupervisors().keySet()).forEach(id -> points.put(id, 0.0));
    Loads loads = state.loads();
    cluster
        .getAssignments()
        .forEach(
            (id, a) ->
                a.getExecutorToSlot()
                    .forEach(
                        (e, slot) -> {
                          Loads.Load load = loads.of(id, e);
                          double cores = load == null ? Double.NaN : load.cores();
                          points.merge(
                              slot.getNodeId(), Double.isNaN(cores) ? 0 : cores * 100, Double::sum);
                        }));
    return points;
  }

  @Override
  public void close() {
    scheduler.cleanup();
    log.close();
  }
}
