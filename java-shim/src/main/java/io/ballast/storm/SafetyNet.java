package io.ballast.storm;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.WorkerSlot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last line before Nimbus: takes what Ballast threw, runs the delegate, takes what the delegate
 * threw. Nothing leaves it, not even when there is no memory left to say so.
 */
final class SafetyNet {
  private static final Logger LOG = LoggerFactory.getLogger(SafetyNet.class);

  private final Delegate delegate;
  private String lastSaid = "";

  SafetyNet(Delegate delegate) {
    this.delegate = delegate;
  }

  /** Says what Ballast threw, unless it said the same last time. */
  void caught(Throwable failed) {
    try {
      // A failure of the engine was told by Health already.
      if (!(failed instanceof NativeFailure)) {
        String said = Threads.say(failed);
        if (!said.equals(lastSaid)) {
          lastSaid = said;
          LOG.warn("Ballast's part of the round failed: {}; {} schedules", said, delegate.name());
          LOG.debug("where it failed", failed);
        }
      }
    } catch (Throwable evenThat) {
      // No memory to speak with. Scheduling goes on.
      lastSaid = "";
    }
  }

  /**
   * Runs the delegate, if it is needed. If it throws, what it had changed is put back, as far as
   * that is possible.
   *
   * @return whether it ran
   */
  boolean delegate(Set<String> served, Topologies topologies, Cluster cluster) {
    Map<String, Map<ExecutorDetails, WorkerSlot>> before = new HashMap<>();
    try {
      if (!delegate.isNeeded(served, topologies, cluster)) {
        return false;
      }
      cluster
          .getAssignments()
          .forEach((id, a) -> before.put(id, new HashMap<>(a.getExecutorToSlot())));
    } catch (Throwable failed) {
      caught(failed);
    }
    try {
      delegate.schedule(served, topologies, cluster);
    } catch (Throwable failed) {
      putBack(before, cluster, failed);
    }
    return true;
  }

  private void putBack(
      Map<String, Map<ExecutorDetails, WorkerSlot>> before, Cluster cluster, Throwable failed) {
    try {
      LOG.error("{} failed; what it had changed is put back", delegate.name(), failed);
      cluster.getAssignments().keySet().forEach(id -> before.putIfAbsent(id, Map.of()));
      TargetWriter.replace(Target.of(before).changes(cluster), cluster);
    } catch (Throwable evenThat) {
      caught(evenThat);
    }
  }

  void nodeAssignmentSent(String node, boolean successful) {
    try {
      delegate.nodeAssignmentSent(node, successful);
    } catch (Throwable failed) {
      caught(failed);
    }
  }

  void cleanup() {
    try {
      delegate.cleanup();
    } catch (Throwable failed) {
      caught(failed);
    }
  }
}
