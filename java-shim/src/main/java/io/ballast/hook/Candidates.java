package io.ballast.hook;

/**
 * The targets that most of the uncounted tuples go to, found in fixed memory: Space-Saving
 * (Metwally, Agrawal, El Abbadi, ICDT 2005). A count is never too small; it is too large by at most
 * the {@code errors} entry beside it. One thread offers; a reader may see a count that is a moment
 * old, which changes nothing but the choice of who is counted next.
 */
final class Candidates {
  /** Counters. */
  static final int SIZE = 32;

  private final int[] targets = new int[SIZE];
  private final long[] counts = new long[SIZE];
  private final long[] errors = new long[SIZE];
  private volatile int used;

  void offer(int target) {
    int known = used;
    int least = 0;
    for (int i = 0; i < known; i++) {
      if (targets[i] == target) {
        counts[i]++;
        return;
      }
      if (counts[i] < counts[least]) {
        least = i;
      }
    }
    if (known < SIZE) {
      targets[known] = target;
      counts[known] = 1;
      used = known + 1;
    } else {
      targets[least] = target;
      errors[least] = counts[least];
      counts[least]++;
    }
  }

  int size() {
    return used;
  }

  int target(int i) {
    return targets[i];
  }

  /** Offers that were certainly of this target. */
  long sure(int i) {
    return counts[i] - errors[i];
  }
}
