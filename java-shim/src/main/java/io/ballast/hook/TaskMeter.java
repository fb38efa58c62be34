package io.ballast.hook;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts of one task. The executor's thread alone writes (Storm asks emitting threads to take
 * turns), the reporter's reads: plain increments and ordered stores, no lock, no read-modify-write
 * instruction.
 */
final class TaskMeter {
  private static final int RECEIVED = 0;
  private static final int EMITTED = 1;
  private static final int SENT = 2;

  private final int task;
  private final boolean spout;
  private final ExecutorMeter executor;
  private final StreamSizes sizes;
  private final PairCounter pairs;
  private final AtomicLongArray counts = new AtomicLongArray(3);

  /** What the reporter has told already. */
  private final long[] told = new long[3];

  private volatile boolean spoiled;

  TaskMeter(int task, boolean spout, ExecutorMeter executor, StreamSizes sizes, PairCounter pairs) {
    this.task = task;
    this.spout = spout;
    this.executor = executor;
    this.sizes = sizes;
    this.pairs = pairs;
  }

  int task() {
    return task;
  }

  /**
   * A tuple was emitted; called before it is transferred.
   *
   * @param targets tasks it goes to; Storm puts a null there for a direct emit nobody subscribed to
   */
  void emitted(String stream, List<Object> values, Collection<Integer> targets) {
    if (spout) {
      executor.runsOn(Thread.currentThread());
    }
    long size = sizes.of(stream, values);
    add(EMITTED, 1);
    if (targets instanceof List<Integer> list) {
      // By index: an iterator for every tuple would be garbage.
      for (int i = 0; i < list.size(); i++) {
        sent(list.get(i), size);
      }
    } else {
      for (Integer target : targets) {
        sent(target, size);
      }
    }
  }

  private void sent(Integer target, long size) {
    if (target != null) {
      add(SENT, 1);
      pairs.add(target, size);
    }
  }

  /** A tuple was executed; ticks and other tuples of Storm's own (task -1) are not counted. */
  void received(int sourceTask) {
    executor.runsOn(Thread.currentThread());
    if (sourceTask >= 0) {
      add(RECEIVED, 1);
    }
  }

  /** A spout's tuple was acked. */
  void acked() {
    executor.runsOn(Thread.currentThread());
    add(RECEIVED, 1);
  }

  private void add(int counter, long more) {
    counts.lazySet(counter, counts.getPlain(counter) + more);
  }

  /** Counting broke off: its figures would be too low, so they are missing from now on. */
  void spoil() {
    spoiled = true;
  }

  /** What was counted since the last call; null: nothing can be said. For the reporter's thread. */
  Interval.Task roll() {
    if (spoiled) {
      return null;
    }
    PairCounter.Rolled rolled = pairs.roll();
    return new Interval.Task(
        task, since(RECEIVED), since(EMITTED), since(SENT), sizes.known(), rolled);
  }

  private long since(int counter) {
    long now = counts.get(counter);
    long more = now - told[counter];
    told[counter] = now;
    return more;
  }
}
