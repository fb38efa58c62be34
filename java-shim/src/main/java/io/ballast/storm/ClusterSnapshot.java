package io.ballast.storm;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * One round's view of Storm: what must be copied while Nimbus holds its scheduling lock, and
 * nothing else. Assignments are copied, since {@code Cluster} goes on changing them; supervisor and
 * topology details are kept as they are, since Nimbus makes new ones every round and changes none.
 * Everything costly (requests, inputs, JSON) is read from them later, off the lock.
 *
 * @param generation the number of the round
 * @param takenAt wall clock
 * @param nodes by supervisor id
 * @param topologies by topology id
 */
record ClusterSnapshot(
    long generation, Instant takenAt, List<Node> nodes, List<Topology> topologies) {

  /**
   * A supervisor.
   *
   * @param rack of its host, null where Storm knows none
   * @param unusable blacklisted
   * @param scaledIn draining because a reply's scaling said so
   * @param avoidPorts offered, but the worker of a topology that is gone may still be running there
   * @param seenRounds rounds in a row it was there, this one included
   */
  record Node(
      SupervisorDetails details,
      String rack,
      boolean unusable,
      boolean scaledIn,
      Set<Integer> avoidPorts,
      int seenRounds) {}

  /**
   * A topology.
   *
   * @param enabled not opted out
   * @param placement the slot of every executor that has one
   * @param lastHomes the slot that executors without one had before
   * @param secsSinceChange since Ballast last moved it; NaN: never
   */
  record Topology(
      TopologyDetails details,
      boolean enabled,
      Map<ExecutorDetails, WorkerSlot> placement,
      Map<ExecutorDetails, WorkerSlot> lastHomes,
      double secsSinceChange) {

    String id() {
      return details.getId();
    }

    /** Some executor has no slot. */
    boolean hasHomeless() {
      return placement.size() < details.getExecutors().size();
    }
  }
}
