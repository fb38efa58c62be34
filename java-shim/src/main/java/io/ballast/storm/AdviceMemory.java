package io.ballast.storm;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * The newest advice on copies of states, by topology: where the next request says that copies lie.
 *
 * <p>A reply's advice holds for the placement after its plan. An executor that the plan takes to
 * another node therefore keeps its older advice until the plan has been applied, which may be
 * never; only if it has none it gets the new one at once, but for the node it is still on.
 *
 * <p>Written by the planner's thread and under Nimbus's lock, read by both.
 */
final class AdviceMemory {
  private final Map<String, TopologyAdvice> newest = new TreeMap<>();
  private final Map<String, TopologyAdvice> onceApplied = new HashMap<>();

  /**
   * Takes over a reply's advice. It is on all topologies: one it does not name has no state that
   * copies are wanted of.
   *
   * @param snapshot what the reply answers
   * @param target what its plan changes
   * @return topologies whose copies should now lie elsewhere
   */
  synchronized List<TopologyAdvice> learn(Advice advice, ClusterSnapshot snapshot, Target target) {
    Map<String, String> hosts = new HashMap<>();
    snapshot.nodes().forEach(n -> hosts.put(n.details().getId(), n.details().getHost()));
    Map<String, TopologyAdvice> before = Map.copyOf(newest);
    newest.clear();
    onceApplied.clear();
    List<TopologyAdvice> changed = new ArrayList<>();
    for (ClusterSnapshot.Topology topology : snapshot.topologies()) {
      List<Advice.Replicas> replicas = advice.topologies().get(topology.id());
      if (replicas == null) {
        continue;
      }
      TopologyAdvice now = afterPlan(topology, replicas, snapshot, hosts);
      TopologyAdvice old = before.get(topology.id());
      Set<ExecutorDetails> leaving = leaving(topology, target);
      if (!leaving.isEmpty()) {
        onceApplied.put(topology.id(), now);
        now = beforePlan(now, leaving, old, topology);
      }
      newest.put(topology.id(), now);
      if (!now.agrees(old)) {
        changed.add(now);
      }
    }
    return changed;
  }

  private static TopologyAdvice afterPlan(
      ClusterSnapshot.Topology topology,
      List<Advice.Replicas> replicas,
      ClusterSnapshot snapshot,
      Map<String, String> hosts) {
    List<TopologyAdvice.State> states =
        replicas.stream()
            .filter(r -> topology.details().getExecutors().contains(r.executor()))
            .sorted(Comparator.comparingInt(r -> r.executor().getStartTask()))
            .map(
                r ->
                    new TopologyAdvice.State(
                        r.executor(),
                        topology.details().getComponentFromExecutor(r.executor()),
                        r.stateBytes(),
                        r.estimated(),
                        r.nodes().stream()
                            .map(id -> new TopologyAdvice.Node(id, hosts.get(id)))
                            .toList()))
            .toList();
    return new TopologyAdvice(
        topology.id(),
        snapshot.generation(),
        snapshot.takenAt().truncatedTo(ChronoUnit.MILLIS),
        states);
  }

  /** Executors that the plan takes from one node to another. */
  private static Set<ExecutorDetails> leaving(ClusterSnapshot.Topology topology, Target target) {
    Set<ExecutorDetails> leaving = new HashSet<>();
    target
        .topologies()
        .getOrDefault(topology.id(), Map.of())
        .forEach(
            (slot, executors) ->
                executors.stream()
                    .filter(e -> topology.placement().containsKey(e))
                    .filter(e -> !nodeOf(e, topology).equals(slot.getNodeId()))
                    .forEach(leaving::add));
    return leaving;
  }

  private static String nodeOf(ExecutorDetails executor, ClusterSnapshot.Topology topology) {
    WorkerSlot slot = topology.placement().get(executor);
    return slot.getNodeId();
  }

  private static TopologyAdvice beforePlan(
      TopologyAdvice after,
      Set<ExecutorDetails> leaving,
      TopologyAdvice old,
      ClusterSnapshot.Topology topology) {
    Map<ExecutorDetails, TopologyAdvice.State> known = new HashMap<>();
    if (old != null) {
      old.states().forEach(state -> known.put(state.executor(), state));
    }
    List<TopologyAdvice.State> states = new ArrayList<>();
    for (TopologyAdvice.State state : after.states()) {
      TopologyAdvice.State kept = known.get(state.executor());
      if (!leaving.contains(state.executor())) {
        states.add(state);
      } else if (kept != null) {
        states.add(state.on(kept.copies()));
      } else {
        String home = nodeOf(state.executor(), topology);
        states.add(state.on(state.copies().stream().filter(n -> !n.id().equals(home)).toList()));
      }
    }
    return new TopologyAdvice(
        after.topology(), after.generation(), after.takenAt(), List.copyOf(states));
  }

  /** The plan of the newest advice has been carried out in these topologies. */
  synchronized void applied(Iterable<String> topologyIds) {
    for (String id : topologyIds) {
      TopologyAdvice after = onceApplied.remove(id);
      if (after != null) {
        newest.replace(id, after);
      }
    }
  }

  /** What another Nimbus has advised, unless our own is newer. */
  synchronized void adopt(TopologyAdvice found) {
    newest.merge(
        found.topology(),
        found,
        (own, other) -> other.takenAt().isAfter(own.takenAt()) ? other : own);
  }

  /** Of one topology; null: none. */
  synchronized TopologyAdvice of(String topologyId) {
    return newest.get(topologyId);
  }

  /** Of all, by topology id. */
  synchronized List<TopologyAdvice> all() {
    return List.copyOf(newest.values());
  }

  /** Topologies that are there; the others are forgotten. */
  synchronized void retain(Collection<String> topologyIds) {
    newest.keySet().retainAll(topologyIds);
    onceApplied.keySet().retainAll(topologyIds);
  }
}
