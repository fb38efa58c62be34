package io.ballast.hook;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.utils.NimbusClient;

/** What the worker learns through Storm's own client: its grant, and who leads. */
interface Nimbuses {
  /** The newest grant; null: Nimbus wants no reports. */
  Grant grant() throws Exception;

  /** Host of the leader. */
  String leader() throws Exception;

  /**
   * By the worker's own configuration. No connection is kept: both are asked for seldom, and
   * Nimbus's and ZooKeeper's connections are counted.
   */
  static Nimbuses of(Map<String, Object> conf, String topology) {
    return new Nimbuses() {
      @Override
      public Grant grant() throws Exception {
        IStateStorage state =
            ClusterUtils.mkStateStorage(
                conf, conf, new ClusterStateContext(DaemonType.WORKER, conf));
        try {
          byte[] data = state.get_data(Grant.FOLDER + topology, false);
          return data == null ? null : Grant.read(data);
        } finally {
          state.close();
        }
      }

      @Override
      public String leader() throws Exception {
        Map<String, Object> patient = new HashMap<>(conf);
        // Storm would try for a minute; the next attempt is ours to make.
        patient.put(Config.STORM_NIMBUS_RETRY_TIMES, 1);
        patient.put(Config.STORM_NIMBUS_RETRY_INTERVAL, 100);
        patient.put(Config.STORM_NIMBUS_RETRY_INTERVAL_CEILING, 1000);
        try (NimbusClient client =
            NimbusClient.Builder.withConf(patient).withTimeout(5000).build()) {
          return client.getClient().getLeader().get_host();
        }
      }
    };
  }
}
