package io.ballast.storm.bench;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * How much of the traffic between components leaves a worker, a node, a rack. No rates are known,
 * so every stream weighs 1, dealt evenly over the pairs of executors it connects; the figure is the
 * share of that weight whose two ends are apart, the mean over all streams of all topologies.
 */
record Traffic(double acrossWorkers, double acrossNodes, double acrossRacks) {

  static Traffic of(Cluster cluster) {
    Map<String, String> racks = new HashMap<>();
    cluster
        .getNetworkTopography()
        .forEach((rack, hosts) -> hosts.forEach(host -> racks.put(host, rack)));
    return new Traffic(
        across(cluster, WorkerSlot::getId),
        across(cluster, WorkerSlot::getNodeId),
        across(cluster, slot -> racks.get(cluster.getHost(slot.getNodeId()))));
  }

  private static double across(Cluster cluster, Function<WorkerSlot, String> place) {
    double sum = 0;
    int streams = 0;
    for (TopologyDetails topology : cluster.getTopologies()) {
      Map<String, Map<String, Integer>> spread = spread(cluster, topology, place);
      for (Map.Entry<String, Bolt> bolt : topology.getTopology().get_bolts().entrySet()) {
        for (GlobalStreamId stream : bolt.getValue().get_common().get_inputs().keySet()) {
          Map<String, Integer> from = spread.get(stream.get_componentId());
          Map<String, Integer> to = spread.get(bolt.getKey());
          if (from != null && to != null) {
            sum += 1 - together(from, to);
            streams++;
          }
        }
      }
    }
    return sum / streams;
  }

  /** Component to place to number of its executors there. */
  private static Map<String, Map<String, Integer>> spread(
      Cluster cluster, TopologyDetails topology, Function<WorkerSlot, String> place) {
    Map<String, Map<String, Integer>> spread = new HashMap<>();
    Map<ExecutorDetails, WorkerSlot> slots =
        cluster.getAssignmentById(topology.getId()).getExecutorToSlot();
    slots.forEach(
        (executor, slot) ->
            spread
                .computeIfAbsent(topology.getComponentFromExecutor(executor), c -> new HashMap<>())
                .merge(place.apply(slot), 1, Integer::sum));
    return spread;
  }

  private static double together(Map<String, Integer> from, Map<String, Integer> to) {
    double pairs = 0;
    for (Map.Entry<String, Integer> there : from.entrySet()) {
      pairs += (double) there.getValue() * to.getOrDefault(there.getKey(), 0);
    }
    return pairs / size(from) / size(to);
  }

  private static double size(Map<String, Integer> spread) {
    return spread.values().stream().mapToInt(Integer::intValue).sum();
  }
}
