package io.ballast.storm;

import java.util.Optional;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;

/**
 * The only thing that changes a running topology. It asks the live cluster whether all of a target
 * is possible before it frees the first slot, and then does all of it or nothing.
 */
final class PlanApplier {
  private final Ticker ticker;
  private final RoundMemory memory;

  PlanApplier(Ticker ticker, RoundMemory memory) {
    this.ticker = ticker;
    this.memory = memory;
  }

  /**
   * Applies a plan.
   *
   * @return why it was refused; empty if it was applied
   */
  Optional<String> apply(Plan plan, Cluster cluster) {
    if (plan.expired(ticker)) {
      return Optional.of("it expired " + plan.reply().expiresAfterSecs() + " s after it was made");
    }
    // The engine names only topologies it was told of; one that has no basis was made up.
    Set<String> changed = plan.reply().target().topologies().keySet();
    if (!plan.basis().keySet().equals(changed)) {
      return Optional.of("it changes a topology that was not in the snapshot: " + changed);
    }
    Optional<String> refused =
        plan.drift(cluster).or(() -> objection(plan.reply().target(), cluster));
    if (refused.isEmpty()) {
      TargetWriter.write(plan.reply().target(), cluster);
      memory.changed(changed);
    }
    return refused;
  }

  /** Gives homeless executors the slots the engine found for them this moment. */
  void place(Target target, Cluster cluster) {
    TargetWriter.write(target, cluster);
  }

  /** What forbids a target on the live cluster, in words for a log line; empty if nothing does. */
  static Optional<String> objection(Target target, Cluster cluster) {
    return TargetCheck.objection(target, cluster).or(() -> TargetCheck.loses(target, cluster));
  }
}
