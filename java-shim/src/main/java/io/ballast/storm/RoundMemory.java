package io.ballast.storm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * What Ballast remembers from round to round, and the only place where it does: rounds a node has
 * been there, where executors were, which slots a vanished topology may still use, when a topology
 * was last changed, what drains for scaling, where copies of states lie. The engine is stateless;
 * all of this goes into each request.
 *
 * <p>Used under Nimbus's scheduling lock, except where a method says otherwise.
 */
final class RoundMemory {
  /**
   * Seconds for which slots of a topology that is gone are avoided. A supervisor stops such a
   * worker within its next synchronization and {@code supervisor.worker.shutdown.sleep.secs}; a
   * minute is ample, and it costs nothing, since an avoided slot is still used when no other is
   * free.
   */
  static final double GHOST_SECS = 60.0;

  private final Ticker ticker;
  private final Homes homes;
  private final Map<String, Integer> seenRounds = new HashMap<>();
  private final Map<String, Long> lastChange = new ConcurrentHashMap<>();
  private final Map<WorkerSlot, Long> ghosts = new HashMap<>();
  private final ScaleMemory scale = new ScaleMemory();
  private final AdviceMemory advice = new AdviceMemory();
  private Map<String, Set<WorkerSlot>> usedLastRound = new HashMap<>();
  private long generation;

  RoundMemory(Ticker ticker, Homes homes) {
    this.ticker = ticker;
    this.homes = homes;
  }

  /** Begins a round: counts nodes, notices topologies that are gone. Once a round. */
  void beginRound(Topologies topologies, Cluster cluster) {
    Set<String> nodes = cluster.getSupervisors().keySet();
    seenRounds.keySet().retainAll(nodes);
    nodes.forEach(id -> seenRounds.merge(id, 1, Integer::sum));
    scale.retain(nodes);
    long now = ticker.nanos();
    usedLastRound.forEach(
        (id, slots) -> {
          if (topologies.getById(id) == null) {
            slots.forEach(slot -> ghosts.put(slot, now));
          }
        });
    ghosts.values().removeIf(since -> ticker.secondsSince(since) > GHOST_SECS);
    Set<String> alive = new HashSet<>(topologies.getAllIds());
    lastChange.keySet().retainAll(alive);
    homes.retain(alive);
    advice.retain(alive);
  }

  /** Ballast has just changed these topologies. */
  void changed(Iterable<String> topologyIds) {
    long now = ticker.nanos();
    topologyIds.forEach(id -> lastChange.put(id, now));
  }

  /** What scaling remembers; to be asked from any thread. */
  ScaleMemory scale() {
    return scale;
  }

  /** Where copies of states should lie; to be asked from any thread. */
  AdviceMemory advice() {
    return advice;
  }

  /** Number of the newest snapshot. */
  long generation() {
    return generation;
  }

  /** Copies the cluster as it is now; may be asked several times in a round. */
  ClusterSnapshot snapshot(Topologies topologies, Cluster cluster) {
    Map<String, Set<WorkerSlot>> used = new HashMap<>();
    List<ClusterSnapshot.Topology> copied = new ArrayList<>();
    for (TopologyDetails topology : topologies) {
      SchedulerAssignment assignment = cluster.getAssignmentById(topology.getId());
      Map<ExecutorDetails, WorkerSlot> placement =
          assignment == null ? Map.of() : placement(assignment, topology);
      if (assignment != null) {
        used.put(topology.getId(), new HashSet<>(assignment.getSlotToExecutors().keySet()));
      }
      copied.add(copy(topology, placement));
    }
    usedLastRound = used;
    copied.sort(Comparator.comparing(ClusterSnapshot.Topology::id));
    return new ClusterSnapshot(++generation, ticker.now(), nodes(cluster, used), copied);
  }

  /** Storm may keep entries of executors that a rebalance did away with; they are no placement. */
  private static Map<ExecutorDetails, WorkerSlot> placement(
      SchedulerAssignment assignment, TopologyDetails topology) {
    Map<ExecutorDetails, WorkerSlot> placement = new HashMap<>(assignment.getExecutorToSlot());
    placement.keySet().retainAll(topology.getExecutors());
    return placement;
  }

  private ClusterSnapshot.Topology copy(
      TopologyDetails topology, Map<ExecutorDetails, WorkerSlot> placement) {
    String id = topology.getId();
    boolean complete = placement.size() == topology.getExecutors().size();
    Map<ExecutorDetails, WorkerSlot> lastHomes = Map.of();
    if (!complete) {
      Set<ExecutorDetails> homeless = new HashSet<>(topology.getExecutors());
      homeless.removeAll(placement.keySet());
      lastHomes = homes.of(id, homeless);
    }
    homes.remember(id, placement, complete);
    Long changed = lastChange.get(id);
    return new ClusterSnapshot.Topology(
        topology,
        TopologyFacts.enabled(topology),
        placement,
        lastHomes,
        changed == null ? Double.NaN : ticker.secondsSince(changed));
  }

  private List<ClusterSnapshot.Node> nodes(Cluster cluster, Map<String, Set<WorkerSlot>> used) {
    // Storm maps a rack to host names, never to supervisor ids; several supervisors share a host.
    Map<String, String> rackOfHost = new HashMap<>();
    cluster.getNetworkTopography().forEach((r, hosts) -> hosts.forEach(h -> rackOfHost.put(h, r)));
    Map<String, Set<Integer>> avoid = new HashMap<>();
    for (WorkerSlot ghost : ghosts.keySet()) {
      if (used.values().stream().noneMatch(slots -> slots.contains(ghost))) {
        avoid.computeIfAbsent(ghost.getNodeId(), n -> new HashSet<>()).add(ghost.getPort());
      }
    }
    List<ClusterSnapshot.Node> nodes = new ArrayList<>();
    for (SupervisorDetails node : cluster.getSupervisors().values()) {
      Set<Integer> avoided = avoid.getOrDefault(node.getId(), Set.of());
      nodes.add(
          new ClusterSnapshot.Node(
              node,
              rackOfHost.get(node.getHost()),
              cluster.isBlackListed(node.getId()),
              scale.drains(node.getId()),
              avoided,
              seenRounds.getOrDefault(node.getId(), 0)));
    }
    nodes.sort(Comparator.comparing(n -> n.details().getId()));
    return nodes;
  }
}
