package io.ballast.storm;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Whether the live cluster allows a target, asked before anything is freed. The engine has judged
 * its own plan already; this check shares no code with it and no data but the live {@link Cluster},
 * because between the two a topology may have been killed and a supervisor lost.
 */
final class TargetCheck {
  private TargetCheck() {}

  /** The first thing that forbids the target, in words for a log line; empty if nothing does. */
  static Optional<String> objection(Target target, Cluster cluster) {
    Map<WorkerSlot, String> owners = owners(cluster);
    Map<WorkerSlot, String> claimed = new HashMap<>();
    for (var entry : new TreeMap<>(target.topologies()).entrySet()) {
      TopologyDetails topology = cluster.getTopologies().getById(entry.getKey());
      if (topology == null) {
        return Optional.of("topology " + entry.getKey() + " does not exist");
      }
      Optional<String> wrong = wrongExecutors(topology, entry.getValue());
      if (wrong.isPresent()) {
        return wrong;
      }
      Map<WorkerSlot, Set<ExecutorDetails>> present = Target.workers(cluster, topology.getId());
      for (var worker : entry.getValue().entrySet()) {
        WorkerSlot slot = worker.getKey();
        String other = claimed.put(slot, topology.getId());
        if (other != null) {
          return Optional.of("slot " + slot + " is given to " + other + " and " + topology.getId());
        }
        String owner = owners.get(slot);
        if (owner != null && !target.topologies().containsKey(owner)) {
          return Optional.of("slot " + slot + " is occupied by " + owner);
        }
        if (!worker.getValue().equals(present.get(slot))) {
          wrong = unusable(slot, cluster);
          if (wrong.isPresent()) {
            return wrong;
          }
        }
      }
    }
    return Optional.empty();
  }

  /** A worker that changes needs a slot a supervisor offers; one that stays as it is does not. */
  private static Optional<String> unusable(WorkerSlot slot, Cluster cluster) {
    SupervisorDetails node = cluster.getSupervisorById(slot.getNodeId());
    if (node == null) {
      return Optional.of("node " + slot.getNodeId() + " is not in the cluster");
    }
    if (cluster.isBlackListed(slot.getNodeId())) {
      return Optional.of("node " + slot.getNodeId() + " is blacklisted");
    }
    if (!node.getAllPorts().contains(slot.getPort())) {
      return Optional.of("port " + slot.getPort() + " of " + slot.getNodeId() + " is not offered");
    }
    return Optional.empty();
  }

  private static Optional<String> wrongExecutors(
      TopologyDetails topology, Map<WorkerSlot, Set<ExecutorDetails>> workers) {
    Set<ExecutorDetails> named = new HashSet<>();
    for (Set<ExecutorDetails> executors : workers.values()) {
      for (ExecutorDetails executor : executors) {
        if (!topology.getExecutors().contains(executor)) {
          return Optional.of("executor " + executor + " is unknown in " + topology.getId());
        }
        if (!named.add(executor)) {
          return Optional.of(
              "executor " + executor + " of " + topology.getId() + " is named twice");
        }
      }
    }
    return Optional.empty();
  }

  /** Executors that have a slot now and would have none: a target may never lose one. */
  static Optional<String> loses(Target target, Cluster cluster) {
    for (var entry : new TreeMap<>(target.topologies()).entrySet()) {
      Set<ExecutorDetails> kept = new HashSet<>();
      entry.getValue().values().forEach(kept::addAll);
      for (Set<ExecutorDetails> present : Target.workers(cluster, entry.getKey()).values()) {
        for (ExecutorDetails executor : present) {
          if (!kept.contains(executor)) {
            return Optional.of(
                "executor " + executor + " of " + entry.getKey() + " loses its slot");
          }
        }
      }
    }
    return Optional.empty();
  }

  private static Map<WorkerSlot, String> owners(Cluster cluster) {
    Map<WorkerSlot, String> owners = new HashMap<>();
    cluster
        .getAssignments()
        .forEach((id, a) -> a.getSlotToExecutors().keySet().forEach(slot -> owners.put(slot, id)));
    return owners;
  }
}
