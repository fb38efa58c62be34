package io.ballast.storm;

import java.util.HashSet;

/** What a topology still lacks after a round, in the words of its scheduler status. */
final class Lack {
  private Lack() {}

  /** Executors without a slot and workers not open, of those asked for; empty if it lacks none. */
  static String of(ClusterSnapshot.Topology topology) {
    int executors = topology.details().getExecutors().size();
    int placed = topology.placement().size();
    // More workers than executors are asked for by mistake and never opened.
    int asked = Math.min(topology.details().getNumWorkers(), executors);
    int workers = new HashSet<>(topology.placement().values()).size();
    StringBuilder lack = new StringBuilder();
    if (placed < executors) {
      lack.append(placed).append(" of ").append(executors).append(" executors have a slot");
    }
    if (workers < asked) {
      lack.append(lack.isEmpty() ? "" : ", ");
      lack.append(workers).append(" of ").append(asked).append(" workers");
    }
    return lack.toString();
  }
}
