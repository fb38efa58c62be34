package io.ballast.storm.telemetry;

import java.util.List;
import java.util.Map;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;

/** Where grants lie: a place that a topology's workers can read and only Nimbus can write. */
interface KeyStore extends AutoCloseable {
  /** The data of one topology; null: none. */
  byte[] read(String topology) throws Exception;

  /**
   * @param topologyConf says who else may read it
   */
  void write(String topology, byte[] data, Map<String, Object> topologyConf) throws Exception;

  void remove(String topology) throws Exception;

  /** Topologies that have data. */
  List<String> topologies() throws Exception;

  @Override
  void close();

  /**
   * Storm's own state (ZooKeeper), beside the topologies' credentials and with the same ACL: the
   * topology may read ({@code storm.zookeeper.topology.auth.payload}), Nimbus may do everything.
   * Storm sets ACLs only where ZooKeeper authentication is configured.
   */
  static KeyStore of(Map<String, Object> stormConf) throws Exception {
    ClusterStateContext nimbus = new ClusterStateContext(DaemonType.NIMBUS, stormConf);
    IStateStorage state = ClusterUtils.mkStateStorage(stormConf, stormConf, nimbus);
    state.mkdirs(FOLDER, nimbus.getDefaultZkAcls());
    return new KeyStore() {
      @Override
      public byte[] read(String topology) {
        return state.get_data(FOLDER + "/" + topology, false);
      }

      @Override
      public void write(String topology, byte[] data, Map<String, Object> topologyConf) {
        state.set_data(
            FOLDER + "/" + topology, data, ClusterUtils.mkTopoReadOnlyAcls(topologyConf));
      }

      @Override
      public void remove(String topology) {
        state.delete_node(FOLDER + "/" + topology);
      }

      @Override
      public List<String> topologies() {
        List<String> children = state.get_children(FOLDER, false);
        return children == null ? List.of() : children;
      }

      @Override
      public void close() {
        state.close();
      }
    };
  }

  /** Folder in Storm's state. */
  String FOLDER = "/ballast-telemetry";
}
