package io.ballast.storm;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * A reply that waits to be applied, with the placement it was made from. What was approved is what
 * is carried out, or nothing.
 *
 * @param reply the engine's reply
 * @param basis topology id to placement, of every topology the plan changes
 * @param generation of the snapshot it was made from
 * @param receivedNanos when it came, by {@link Ticker#nanos()}
 */
record Plan(
    Reply reply,
    Map<String, Map<ExecutorDetails, WorkerSlot>> basis,
    long generation,
    long receivedNanos) {

  static Plan of(Reply reply, ClusterSnapshot snapshot, long nanos) {
    Map<String, Map<ExecutorDetails, WorkerSlot>> basis = new HashMap<>();
    for (ClusterSnapshot.Topology topology : snapshot.topologies()) {
      if (reply.target().topologies().containsKey(topology.id())) {
        basis.put(topology.id(), topology.placement());
      }
    }
    return new Plan(reply, basis, snapshot.generation(), nanos);
  }

  boolean expired(Ticker ticker) {
    return ticker.secondsSince(receivedNanos) > reply.expiresAfterSecs();
  }

  /** What has changed, since the plan was made, in a topology it changes. */
  Optional<String> drift(Cluster cluster) {
    for (var topology : new TreeMap<>(basis).entrySet()) {
      if (cluster.getTopologies().getById(topology.getKey()) == null) {
        return Optional.of("topology " + topology.getKey() + " is gone");
      }
      SchedulerAssignment live = cluster.getAssignmentById(topology.getKey());
      Map<ExecutorDetails, WorkerSlot> now =
          live == null ? Map.of() : new HashMap<>(live.getExecutorToSlot());
      now.keySet().retainAll(cluster.getTopologies().getById(topology.getKey()).getExecutors());
      if (!now.equals(topology.getValue())) {
        return Optional.of(difference(topology.getKey(), topology.getValue(), now));
      }
    }
    return Optional.empty();
  }

  private static String difference(
      String topology,
      Map<ExecutorDetails, WorkerSlot> then,
      Map<ExecutorDetails, WorkerSlot> now) {
    for (Map.Entry<ExecutorDetails, WorkerSlot> entry : then.entrySet()) {
      WorkerSlot live = now.get(entry.getKey());
      if (!entry.getValue().equals(live)) {
        return "executor "
            + entry.getKey()
            + " of "
            + topology
            + " was on "
            + entry.getValue()
            + " and is "
            + (live == null ? "nowhere" : "on " + live);
      }
    }
    return "topology " + topology + " has executors the plan does not know";
  }
}
