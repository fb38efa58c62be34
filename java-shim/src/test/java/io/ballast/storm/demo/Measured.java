package io.ballast.storm.demo;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What happened between two readings, from the differences of their sums.
 *
 * @param secs length of the window
 * @param nodes every node of the cluster, the idle ones too, in the order of their ids
 * @param flightsPerSec tuple trees completed a second
 * @param tuplesPerSec tuples executed a second, ackers included
 * @param completeMillis mean complete latency
 * @param failed tuple trees that failed or timed out
 */
record Measured(
    double secs,
    List<Node> nodes,
    double flightsPerSec,
    double tuplesPerSec,
    double completeMillis,
    long failed) {

  /**
   * @param id supervisor id
   * @param cores executed x execute latency over the window, of all its bolts and ackers
   * @param capacityCores what the node has to give
   * @param workers slots in use
   */
  record Node(String id, double cores, double capacityCores, int workers, int executors) {
    double utilization() {
      return cores / capacityCores;
    }
  }

  /**
   * Empty where the two readings do not speak of the same workers: a worker that was restarted
   * between them began its sums anew.
   *
   * @param capacityCores of each node, by supervisor id
   */
  static Optional<Measured> between(Reading from, Reading to, Map<String, Double> capacityCores) {
    if (!from.slots().equals(to.slots()) || !to.allUpFor(0) || !from.allUpFor(0)) {
      return Optional.empty();
    }
    double secs = (to.atNanos() - from.atNanos()) / 1e9;
    Map<String, Double> busySecs = new TreeMap<>();
    double executed = 0;
    double acked = 0;
    double completeMillis = 0;
    long failed = 0;
    for (Map.Entry<Long, Reading.Slot> slot : to.slots().entrySet()) {
      Reading.Counts before = from.counts().get(slot.getKey());
      Reading.Counts after = to.counts().get(slot.getKey());
      if (after.uptimeSecs() < before.uptimeSecs()) {
        return Optional.empty();
      }
      double busy = (after.busyMillis() - before.busyMillis()) / 1e3;
      busySecs.merge(slot.getValue().node(), busy, Double::sum);
      executed += after.executed() - before.executed();
      acked += after.acked() - before.acked();
      completeMillis += after.completeMillis() - before.completeMillis();
      failed += after.failed() - before.failed();
    }
    List<Node> nodes =
        new TreeMap<>(capacityCores)
            .entrySet().stream()
                .map(
                    node -> {
                      double cores = busySecs.getOrDefault(node.getKey(), 0.0) / secs;
                      return node(to, node.getKey(), cores, node.getValue());
                    })
                .toList();
    return Optional.of(
        new Measured(secs, nodes, acked / secs, executed / secs, completeMillis / acked, failed));
  }

  /** Load of all nodes over their capacity. */
  double meanUtilization() {
    double cores = nodes.stream().mapToDouble(Node::cores).sum();
    return cores / nodes.stream().mapToDouble(Node::capacityCores).sum();
  }

  /** Largest distance of a node's utilization from the mean (ALBIC, ICDE 2017), of capacity. */
  double loadDistance() {
    double mean = meanUtilization();
    return nodes.stream().mapToDouble(node -> Math.abs(node.utilization() - mean)).max().orElse(0);
  }

  private static Node node(Reading reading, String id, double cores, double capacity) {
    List<Reading.Slot> executors =
        reading.slots().values().stream().filter(slot -> slot.node().equals(id)).toList();
    return new Node(
        id,
        cores,
        capacity,
        new TreeSet<>(executors.stream().map(Reading.Slot::port).toList()).size(),
        executors.size());
  }
}
