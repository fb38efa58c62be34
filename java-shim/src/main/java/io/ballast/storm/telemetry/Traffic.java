package io.ballast.storm.telemetry;

import java.util.List;

/**
 * Who sends to whom in one topology, task by task, so that it holds for any executors they form.
 * Tuples that stay in their worker are counted as those that leave it.
 *
 * @param pairs by sender, then receiver; heavy pairs are never missing
 * @param rest what the senders sent beyond the pairs told: nothing, unless a task sends to more
 *     tasks than the hook counts one by one
 */
public record Traffic(List<Pair> pairs, List<Rest> rest) {

  /**
   * Tuples from one task to another.
   *
   * @param bytesPerSec serialized, as between two workers; NaN: some tuples of the sender cannot be
   *     serialized
   */
  public record Pair(int from, int to, double tuplesPerSec, double bytesPerSec) {}

  /**
   * Tuples from one task to all those tasks of a component that no pair names.
   *
   * @param bytesPerSec as in a pair
   */
  public record Rest(int from, String component, double tuplesPerSec, double bytesPerSec) {}
}
