package io.ballast.storm.demo;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;

/** Storm in this process: four supervisors of half a core with three slots each, and Nimbus. */
public final class DemoCluster implements FlightsCluster, AutoCloseable {
  static final int SUPERVISORS = 4;
  static final int SLOTS = 3;

  /**
   * Half a core a supervisor, as Storm writes it (percent of a core). Four of them are the two
   * cores of a small machine, so utilization means what it says.
   */
  static final double SUPERVISOR_PCORE = 50.0;

  private final LocalCluster cluster;
  private final String topologyId;

  private DemoCluster(LocalCluster cluster, String topologyId) {
    this.cluster = cluster;
    this.topologyId = topologyId;
  }

  /**
   * @param scheduler settings of the scheduler: {@code storm.scheduler} and {@code ballast.*}
   * @param topologySettings of the flights topology
   */
  static DemoCluster start(Map<String, Object> scheduler, Sizing sizing, Config topologySettings)
      throws Exception {
    LocalCluster cluster =
        new LocalCluster.Builder()
            .withSupervisors(SUPERVISORS)
            .withPortsPerSupervisor(SLOTS)
            .withNimbusDaemon(true)
            .withDaemonConf(daemonConf(scheduler))
            .build();
    try {
      cluster.submitTopology(FlightsTopology.NAME, topologySettings, FlightsTopology.build(sizing));
      String id =
          cluster.getTopologySummaries().stream()
              .filter(topology -> topology.get_name().equals(FlightsTopology.NAME))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("Nimbus does not know the topology"))
              .get_id();
      return new DemoCluster(cluster, id);
    } catch (Exception e) {
      close(cluster);
      throw e;
    }
  }

  @Override
  public String topologyId() {
    return topologyId;
  }

  /** The supervisors share one host name, so the assignment is read, which names them by id. */
  @Override
  public Reading read() throws TException {
    SortedMap<Long, Reading.Slot> slots = new TreeMap<>();
    Assignment assignment = cluster.getClusterState().assignmentInfo(topologyId, null);
    if (assignment != null) {
      assignment
          .get_executor_node_port()
          .forEach((tasks, node) -> slots.put(tasks.get(0), slot(node)));
    }
    return Reading.of(
        slots, cluster.getTopologyInfoWithOpts(topologyId, Reading.OPTIONS).get_executors());
  }

  @Override
  public Map<String, Double> capacityCores() throws TException {
    return Reading.capacityCores(cluster.getClusterInfo());
  }

  @Override
  public String schedulerStatus() throws TException {
    return cluster.getTopologySummaries().stream()
        .filter(topology -> topology.get_id().equals(topologyId))
        .filter(TopologySummary::is_set_sched_status)
        .map(TopologySummary::get_sched_status)
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() {
    close(cluster);
  }

  private static Reading.Slot slot(NodeInfo node) {
    return new Reading.Slot(node.get_node(), node.get_port().iterator().next());
  }

  private static void close(LocalCluster cluster) {
    try {
      cluster.close();
    } catch (Exception e) {
      throw new IllegalStateException("the local cluster did not stop cleanly", e);
    }
  }

  private static Map<String, Object> daemonConf(Map<String, Object> scheduler) throws IOException {
    Map<String, Object> conf = new HashMap<>();
    conf.put(Config.STORM_LOCAL_HOSTNAME, "localhost");
    conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
    conf.put(Config.NIMBUS_THRIFT_PORT, freePort());
    conf.put(Config.SUPERVISOR_CPU_CAPACITY, SUPERVISOR_PCORE);
    conf.put(Config.EXECUTOR_METRICS_FREQUENCY_SECS, 2);
    // LocalCluster turns these off; without them a lost tuple is never failed nor played again.
    conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true);
    // Not LocalCluster's own transport, in which one worker's death is everybody's.
    conf.put(Config.STORM_LOCAL_MODE_ZMQ, true);
    conf.put(Config.STORM_MESSAGING_TRANSPORT, OneProcessTransport.class.getName());
    // Workers look for a new assignment often; at 10 s, the default, some still send by the old one
    // when the workers it changed are up again.
    conf.put(Config.TASK_REFRESH_POLL_SECS, 1);
    conf.putAll(outliveWorkers());
    conf.putAll(scheduler);
    return conf;
  }

  /**
   * Settings without which a worker's end is now and then the end of this process: {@code
   * StormTimer.scheduleRecurringMs} throws if its timer is closed while it runs, and the worker's
   * answer to that is {@code System.exit}. Of the timers that recur so only the check of back
   * pressure runs by default, every 50 ms; here its first time is in a day.
   */
  public static Map<String, Object> outliveWorkers() {
    return Map.of(Config.TOPOLOGY_BACKPRESSURE_CHECK_MILLIS, 86_400_000);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
