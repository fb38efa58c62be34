package io.ballast.storm;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What scaling needs to know of earlier rounds: how many in a row could have done with fewer nodes,
 * and which nodes drain because a reply said so. A node drains until a reply keeps it or it leaves
 * the cluster; a new leader has forgotten both, and begins to count anew.
 *
 * <p>Written by the planner's thread, read under Nimbus's lock.
 */
final class ScaleMemory {
  private final Set<String> drained = ConcurrentHashMap.newKeySet();
  private volatile int lowRounds;

  /**
   * A planning round's advice.
   *
   * @param scaling null: the reply said nothing of scaling
   * @param drains nodes are drained, not only named
   */
  void learn(Scaling scaling, boolean drains) {
    if (scaling == null || scaling.isUnknown()) {
      return;
    }
    lowRounds = scaling.low() ? lowRounds + 1 : 0;
    if (drains) {
      drained.addAll(scaling.drain());
      scaling.keep().forEach(drained::remove);
    } else {
      drained.clear();
    }
  }

  /** Nodes that are there; the others are forgotten. */
  void retain(Collection<String> nodes) {
    drained.retainAll(nodes);
  }

  /** Planning rounds in a row whose reply said {@code low}. */
  int lowRounds() {
    return lowRounds;
  }

  /** The node drains because a reply said so. */
  boolean drains(String node) {
    return drained.contains(node);
  }
}
