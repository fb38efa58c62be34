package io.ballast.storm.demo;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.NimbusClient;

/**
 * The cluster that {@code storm.yaml} on the class path names, asked through Nimbus's Thrift
 * client. Its supervisors must have hosts of their own, for statistics name hosts only.
 */
final class RealCluster implements FlightsCluster, AutoCloseable {
  private final NimbusClient client;
  private final String topologyId;
  private final Map<String, String> supervisorByHost;

  private RealCluster(NimbusClient client, String topologyId) throws TException {
    this.client = client;
    this.topologyId = topologyId;
    this.supervisorByHost = new TreeMap<>();
    for (SupervisorSummary supervisor : nimbus().getClusterInfo().get_supervisors()) {
      supervisorByHost.put(supervisor.get_host(), supervisor.get_supervisor_id());
    }
  }

  /** Submits the topology; {@code -Dstorm.jar} names the jar with its classes. */
  static RealCluster start(Sizing sizing, Config topologySettings) throws Exception {
    StormSubmitter.submitTopology(
        FlightsTopology.NAME, topologySettings, FlightsTopology.build(sizing));
    NimbusClient client = NimbusClient.Builder.withConf(ConfigUtils.readStormConfig()).build();
    String id = client.getClient().getTopologySummaryByName(FlightsTopology.NAME).get_id();
    return new RealCluster(client, id);
  }

  @Override
  public String topologyId() {
    return topologyId;
  }

  @Override
  public Reading read() throws TException {
    TopologyInfo topology = nimbus().getTopologyInfoWithOpts(topologyId, Reading.OPTIONS);
    SortedMap<Long, Reading.Slot> slots = new TreeMap<>();
    for (ExecutorSummary executor : topology.get_executors()) {
      String supervisor = supervisorByHost.getOrDefault(executor.get_host(), executor.get_host());
      slots.put(
          (long) executor.get_executor_info().get_task_start(),
          new Reading.Slot(supervisor, executor.get_port()));
    }
    return Reading.of(slots, topology.get_executors());
  }

  @Override
  public Map<String, Double> capacityCores() throws TException {
    return Reading.capacityCores(nimbus().getClusterInfo());
  }

  @Override
  public String schedulerStatus() throws TException {
    TopologySummary topology = nimbus().getTopologySummary(topologyId);
    return topology.is_set_sched_status() ? topology.get_sched_status() : "";
  }

  @Override
  public void close() {
    client.close();
  }

  private Nimbus.Iface nimbus() {
    return client.getClient();
  }
}
