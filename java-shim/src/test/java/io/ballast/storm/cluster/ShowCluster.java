package io.ballast.storm.cluster;

import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.NimbusClient;

/**
 * What the leader knows of a cluster, one record a line, fields separated by tabs, for {@code
 * scripts/storm-cluster status}:
 *
 * <pre>
 * nimbus      HOST  PORT  leader|standby
 * supervisor  HOST  ID  SLOTS  USED
 * topology    NAME  ID  STATUS  WORKERS  EXECUTORS  SCHEDULER'S STATUS
 * </pre>
 *
 * <p>Exit code 1 if no leader answers.
 */
public final class ShowCluster {
  private ShowCluster() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) {
    Map<String, Object> conf = ConfigUtils.readStormConfig();
    try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
      show(nimbus.getClient().getClusterInfo());
    } catch (Exception none) {
      System.err.println(none.getMessage());
      System.exit(1);
    }
  }

  private static void show(ClusterSummary cluster) {
    for (NimbusSummary nimbus : cluster.get_nimbuses()) {
      line(
          "nimbus",
          nimbus.get_host(),
          nimbus.get_port(),
          nimbus.is_isLeader() ? "leader" : "standby");
    }
    for (SupervisorSummary supervisor : cluster.get_supervisors()) {
      line(
          "supervisor",
          supervisor.get_host(),
          supervisor.get_supervisor_id(),
          supervisor.get_num_workers(),
          supervisor.get_num_used_workers());
    }
    for (TopologySummary topology : cluster.get_topologies()) {
      line(
          "topology",
          topology.get_name(),
          topology.get_id(),
          topology.get_status(),
          topology.get_num_workers(),
          topology.get_num_executors(),
          topology.is_set_sched_status() ? topology.get_sched_status() : "");
    }
  }

  private static void line(Object... fields) {
    StringBuilder line = new StringBuilder();
    for (Object field : fields) {
      // A status of several lines stays one field.
      line.append(line.isEmpty() ? "" : "\t").append(field.toString().replaceAll("\\s+", " "));
    }
    System.out.println(line);
  }
}
