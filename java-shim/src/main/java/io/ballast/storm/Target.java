package io.ballast.storm;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Where the executors of some topologies shall be: for each of these topologies every worker it
 * shall have, with its executors. Topologies that are not named stay as they are.
 *
 * @param topologies topology id to slot to executors
 */
record Target(Map<String, Map<WorkerSlot, Set<ExecutorDetails>>> topologies) {

  /** The present placement of these topologies, as a target: what a rollback goes back to. */
  static Target present(Cluster cluster, Collection<String> topologyIds) {
    Map<String, Map<WorkerSlot, Set<ExecutorDetails>>> present = new HashMap<>();
    for (String id : topologyIds) {
      present.put(id, workers(cluster, id));
    }
    return new Target(present);
  }

  /** The workers a topology has now. */
  static Map<WorkerSlot, Set<ExecutorDetails>> workers(Cluster cluster, String topologyId) {
    SchedulerAssignment assignment = cluster.getAssignmentById(topologyId);
    return assignment == null ? new HashMap<>() : workers(assignment.getExecutorToSlot());
  }

  private static Map<WorkerSlot, Set<ExecutorDetails>> workers(
      Map<ExecutorDetails, WorkerSlot> placement) {
    Map<WorkerSlot, Set<ExecutorDetails>> workers = new HashMap<>();
    placement.forEach((e, slot) -> workers.computeIfAbsent(slot, s -> new HashSet<>()).add(e));
    return workers;
  }

  /** These placements as a target. */
  static Target of(Map<String, Map<ExecutorDetails, WorkerSlot>> placements) {
    Map<String, Map<WorkerSlot, Set<ExecutorDetails>>> topologies = new HashMap<>();
    placements.forEach((id, placement) -> topologies.put(id, workers(placement)));
    return new Target(topologies);
  }

  boolean isEmpty() {
    return topologies.isEmpty();
  }

  /** The part of this target that differs from the cluster. */
  Target changes(Cluster cluster) {
    Map<String, Map<WorkerSlot, Set<ExecutorDetails>>> changed = new HashMap<>(topologies);
    changed.entrySet().removeIf(t -> t.getValue().equals(workers(cluster, t.getKey())));
    return new Target(changed);
  }
}
