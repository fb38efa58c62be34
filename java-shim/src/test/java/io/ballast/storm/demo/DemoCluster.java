package io.ballast.storm.demo;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.thrift.TException;

/** Storm in this process: four supervisors of half a core with three slots each, and Nimbus. */
public final class DemoCluster implements AutoCloseable {
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

  LocalCluster storm() {
    return cluster;
  }

  String topologyId() {
    return topologyId;
  }

  Reading read() throws TException {
    return Reading.take(cluster, topologyId);
  }

  /** Capacity in cores of each supervisor, by its id. */
  Map<String, Double> capacityCores() throws TException {
    Map<String, Double> capacity = new TreeMap<>();
    for (SupervisorSummary supervisor : cluster.getClusterInfo().get_supervisors()) {
      double pcore = supervisor.get_total_resources().get("cpu.pcore.percent");
      capacity.put(supervisor.get_supervisor_id(), pcore / 100);
    }
    return capacity;
  }

  @Override
  public void close() {
    close(cluster);
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
