package io.ballast.hook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Tuples and bytes from one task to others, in fixed memory. As long as there are no more targets
 * than {@code capacity} every pair is exact. Beyond that the heavy ones are exact and all others
 * are a sum for each target component: each time the counts are read, targets that turned out heavy
 * among the uncounted ({@link Candidates}) change places with the lightest counted ones. So a pair
 * that becomes heavy is exact from the second report on.
 */
final class PairCounter {
  /** One in so many uncounted tuples, on average, is offered to the candidates. */
  private static final int OFFER_EVERY = 8;

  private static final int OFFERS_MIN = 4;

  /** Targets told in one report, over all tasks, are bounded by the tables' capacity. */
  private final ComponentIndex components;

  private final AtomicLongArray restTuples;
  private final AtomicLongArray restBytes;
  private final long[] takenRestTuples;
  private final long[] takenRestBytes;
  private volatile PairTable table;
  private volatile Candidates candidates = new Candidates();
  private PairTable retired;
  private int untilOffer = OFFER_EVERY;
  private int random = 1;

  PairCounter(int capacity, ComponentIndex components) {
    this.components = components;
    table = new PairTable(capacity);
    restTuples = new AtomicLongArray(components.size());
    restBytes = new AtomicLongArray(components.size());
    takenRestTuples = new long[components.size()];
    takenRestBytes = new long[components.size()];
  }

  /** What one target task got. */
  record Pair(int target, long tuples, long bytes) {}

  /** What the tasks of one component got that no pair tells. */
  record Rest(int component, long tuples, long bytes) {}

  /** Everything sent in an interval: heavy pairs, and sums of the others. */
  record Rolled(List<Pair> pairs, List<Rest> rest) {}

  /** Counts a tuple; for the task's own thread. */
  void add(int target, long size) {
    if (table.add(target, size)) {
      return;
    }
    int component = components.of(target);
    restTuples.lazySet(component, restTuples.getPlain(component) + 1);
    restBytes.lazySet(component, restBytes.getPlain(component) + size);
    if (--untilOffer == 0) {
      // At random: an all grouping hands out its targets in a fixed order.
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      untilOffer = 1 + (random >>> 1) % (2 * OFFER_EVERY - 1);
      candidates.offer(target);
    }
  }

  /** What was counted since the last call; for the reporter's thread. */
  Rolled roll() {
    List<Pair> pairs = new ArrayList<>();
    List<Rest> rest = new ArrayList<>();
    PairTable current = table;
    boolean[] used = {false};
    current.take(
        (target, tuples, bytes) -> {
          used[0] |= tuples > 0;
          pairs.add(new Pair(target, tuples, bytes));
        });
    if (retired != null) {
      // Its thread may have been stopped in the middle of writing into it. Once it has written into
      // the next one it is through with it, and what it wrote before can be read.
      retired.take((target, tuples, bytes) -> merge(pairs, target, tuples, bytes));
      retired = used[0] ? null : retired;
    }
    for (int i = 0; i < takenRestTuples.length; i++) {
      long tuples = restTuples.get(i);
      long bytes = restBytes.get(i);
      if (tuples > takenRestTuples[i]) {
        rest.add(new Rest(i, tuples - takenRestTuples[i], bytes - takenRestBytes[i]));
      }
      takenRestTuples[i] = tuples;
      takenRestBytes[i] = bytes;
    }
    if (!rest.isEmpty() && retired == null) {
      exchange(current, pairs);
    }
    pairs.removeIf(pair -> pair.tuples() <= 0);
    return new Rolled(pairs, rest);
  }

  private static void merge(List<Pair> pairs, int target, long tuples, long bytes) {
    if (tuples == 0) {
      return;
    }
    for (int i = 0; i < pairs.size(); i++) {
      Pair pair = pairs.get(i);
      if (pair.target() == target) {
        pairs.set(i, new Pair(target, pair.tuples() + tuples, pair.bytes() + bytes));
        return;
      }
    }
    pairs.add(new Pair(target, tuples, bytes));
  }

  /** Heavy candidates take the places of the lightest counted targets. */
  private void exchange(PairTable current, List<Pair> counted) {
    Candidates seen = candidates;
    candidates = new Candidates();
    List<Pair> heavy = new ArrayList<>();
    for (int i = 0; i < seen.size(); i++) {
      if (seen.sure(i) >= OFFERS_MIN) {
        heavy.add(new Pair(seen.target(i), seen.sure(i) * OFFER_EVERY, 0));
      }
    }
    heavy.sort(Comparator.comparingLong(Pair::tuples).reversed());
    List<Pair> kept = new ArrayList<>(counted);
    kept.sort(Comparator.comparingLong(Pair::tuples).reversed());
    boolean changed = false;
    for (Pair candidate : heavy) {
      // Twice as heavy at least: two of about the same weight would change places for ever.
      if (kept.isEmpty() || kept.get(kept.size() - 1).tuples() * 2 >= candidate.tuples()) {
        break;
      }
      kept.remove(kept.size() - 1);
      kept.add(0, candidate);
      changed = true;
    }
    if (changed) {
      PairTable next = new PairTable(current.capacity());
      kept.forEach(pair -> next.hold(pair.target()));
      retired = current;
      table = next;
    }
  }
}
