package io.ballast.storm;

import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.Topologies;
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
   * Runs the delegate. If it throws, what it had changed is put back, as far as that is possible.
   */
  void delegate(Set<String> served, Topologies topologies, Cluster cluster) {
    Target before = null;
    try {
      before = Target.present(cluster, topologies.getAllIds());
    } catch (Throwable failed) {
      caught(failed);
    }
    try {
      delegate.schedule(served, topologies, cluster);
    } catch (Throwable failed) {
      putBack(before, cluster, failed);
    }
  }

  private void putBack(Target before, Cluster cluster, Throwable failed) {
    try {
      LOG.error("{} failed; what it had changed is put back", delegate.name(), failed);
      if (before != null) {
        TargetWriter.replace(before.changes(cluster), cluster);
      }
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
