package io.ballast.storm;

import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Brings a cluster to a target. {@link Cluster} has no rollback, so all of it is done on a copy
 * first: what the copy accepts, the original accepts. Should the original fail all the same (no
 * memory), what was there before is put back.
 *
 * <p>Workers that keep slot and executors are not touched: a worker whose executor set is unchanged
 * is not restarted, and its part of Storm's assignment stays equal, resources included.
 */
final class TargetWriter {
  private TargetWriter() {}

  /** Frees and assigns, all or nothing. */
  static void write(Target target, Cluster cluster) {
    Target changes = target.changes(cluster);
    if (changes.isEmpty()) {
      return;
    }
    replace(changes, new Cluster(cluster));
    Target before = Target.present(cluster, changes.topologies().keySet());
    try {
      replace(changes, cluster);
    } catch (Throwable failed) {
      replace(before, cluster);
      throw failed;
    }
  }

  /** Frees every worker that changes, of all topologies, before it assigns any. */
  static void replace(Target target, Cluster cluster) {
    target
        .topologies()
        .forEach(
            (id, workers) ->
                Target.workers(cluster, id)
                    .forEach(
                        (slot, executors) -> {
                          if (!executors.equals(workers.get(slot))) {
                            cluster.freeSlot(slot);
                          }
                        }));
    for (Map.Entry<String, Map<WorkerSlot, Set<ExecutorDetails>>> topology :
        target.topologies().entrySet()) {
      Map<WorkerSlot, Set<ExecutorDetails>> present = Target.workers(cluster, topology.getKey());
      topology
          .getValue()
          .forEach(
              (slot, executors) -> {
                if (!present.containsKey(slot)) {
                  cluster.assign(slot, topology.getKey(), executors);
                }
              });
    }
  }
}
