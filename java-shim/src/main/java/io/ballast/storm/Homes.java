package io.ballast.storm;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * The slot every task had last, per topology, so that executors go back to where they were. Kept by
 * task and not by executor: during a rebalance Nimbus hands over no old assignment, and the new
 * executors may have other task ranges.
 *
 * <p>A Nimbus that waits to become leader fills it from the leader's answers ({@link LoadFeed}), so
 * that a new leader knows the old homes.
 */
final class Homes {
  private final Map<String, Map<ExecutorDetails, WorkerSlot>> last = new ConcurrentHashMap<>();

  /** What another source knows about a topology; what was seen with our own eyes wins. */
  void seed(String topologyId, Map<ExecutorDetails, WorkerSlot> placement) {
    last.putIfAbsent(topologyId, placement);
  }

  boolean knows(String topologyId) {
    return last.containsKey(topologyId);
  }

  /** Remembers a placement; tasks it does not cover keep their older home. */
  void remember(String topologyId, Map<ExecutorDetails, WorkerSlot> placement, boolean complete) {
    last.compute(
        topologyId, (id, old) -> complete || old == null ? placement : withOlder(placement, old));
  }

  private static Map<ExecutorDetails, WorkerSlot> withOlder(
      Map<ExecutorDetails, WorkerSlot> placement, Map<ExecutorDetails, WorkerSlot> old) {
    NavigableMap<Integer, Integer> covered = new TreeMap<>();
    placement.keySet().forEach(e -> covered.put(e.getStartTask(), e.getEndTask()));
    Map<ExecutorDetails, WorkerSlot> merged = new HashMap<>(placement);
    old.forEach(
        (executor, slot) -> {
          var nearest = covered.floorEntry(executor.getEndTask());
          if (nearest == null || nearest.getValue() < executor.getStartTask()) {
            merged.put(executor, slot);
          }
        });
    return merged;
  }

  /** The last slots of executors that have none now, by overlapping tasks, the majority's slot. */
  Map<ExecutorDetails, WorkerSlot> of(String topologyId, Iterable<ExecutorDetails> homeless) {
    Map<ExecutorDetails, WorkerSlot> old = last.get(topologyId);
    Map<ExecutorDetails, WorkerSlot> found = new HashMap<>();
    if (old == null) {
      return found;
    }
    NavigableMap<Integer, Map.Entry<ExecutorDetails, WorkerSlot>> byTask = new TreeMap<>();
    old.entrySet().forEach(e -> byTask.put(e.getKey().getStartTask(), e));
    for (ExecutorDetails executor : homeless) {
      WorkerSlot exact = old.get(executor);
      WorkerSlot home = exact != null ? exact : majority(executor, byTask);
      if (home != null) {
        found.put(executor, home);
      }
    }
    return found;
  }

  private static WorkerSlot majority(
      ExecutorDetails executor, NavigableMap<Integer, Map.Entry<ExecutorDetails, WorkerSlot>> old) {
    Integer first = old.floorKey(executor.getStartTask());
    Map<WorkerSlot, Integer> tasks = new HashMap<>();
    WorkerSlot best = null;
    for (var entry :
        old.subMap(
                first == null ? executor.getStartTask() : first, true, executor.getEndTask(), true)
            .values()) {
      int overlap =
          Math.min(entry.getKey().getEndTask(), executor.getEndTask())
              - Math.max(entry.getKey().getStartTask(), executor.getStartTask())
              + 1;
      if (overlap > 0) {
        WorkerSlot slot = entry.getValue();
        int sum = tasks.merge(slot, overlap, Integer::sum);
        // Strictly more: of slots with equally many tasks the one with the lower tasks stays.
        if (best == null || sum > tasks.get(best)) {
          best = slot;
        }
      }
    }
    return best;
  }

  /** Forgets topologies that are gone. */
  void retain(Collection<String> topologyIds) {
    last.keySet().retainAll(topologyIds);
  }
}
