package io.ballast.storm.cluster;

import java.util.Map;
import java.util.TreeSet;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.NimbusClient;

/**
 * Waits until a cluster is whole: a Nimbus leads, all of them are known, and every supervisor is
 * registered. Says what it sees as it comes. Ends only when all is there; {@code
 * scripts/storm-cluster} gives up on it when a daemon dies or time is up.
 */
public final class AwaitCluster {
  private static final long POLL_MILLIS = 200;

  private final int nimbuses;
  private final int supervisors;
  private final TreeSet<String> told = new TreeSet<>();

  private AwaitCluster(int nimbuses, int supervisors) {
    this.nimbuses = nimbuses;
    this.supervisors = supervisors;
  }

  /** Arguments: how many Nimbus daemons, how many supervisors. */
  public static void main(String[] counts) throws InterruptedException {
    Map<String, Object> conf = ConfigUtils.readStormConfig();
    AwaitCluster wait = new AwaitCluster(Integer.parseInt(counts[0]), Integer.parseInt(counts[1]));
    while (!wait.whole(conf)) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  private boolean whole(Map<String, Object> conf) {
    try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
      return whole(nimbus.getClient().getClusterInfo());
    } catch (Exception notYet) {
      // No leader, or it went between two calls: both are what is waited for.
      return false;
    }
  }

  private boolean whole(ClusterSummary cluster) {
    for (NimbusSummary nimbus : cluster.get_nimbuses()) {
      String state = nimbus.is_isLeader() ? "leads" : "stands by";
      tell("nimbus %s:%d %s".formatted(nimbus.get_host(), nimbus.get_port(), state));
    }
    for (SupervisorSummary supervisor : cluster.get_supervisors()) {
      tell("supervisor %s is registered".formatted(supervisor.get_host()));
    }
    return cluster.get_nimbuses().size() >= nimbuses
        && cluster.get_nimbuses().stream().anyMatch(NimbusSummary::is_isLeader)
        && cluster.get_supervisors().size() >= supervisors;
  }

  private void tell(String event) {
    if (told.add(event)) {
      System.out.println(event);
    }
  }
}
