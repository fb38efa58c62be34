package io.ballast.storm.bench.cluster;

/**
 * When one spout task is to emit. Every flight has an instant at which it is due, whatever the
 * topology does with those before, and its latency counts from there: a source that is held up
 * makes no latency disappear (coordinated omission).
 */
final class Schedule {
  private final int task;
  private final int tasks;
  private Order order = Order.NONE;
  private double nanosPerFlight;
  private long began;
  private long emitted;

  /**
   * @param task index of this task among those of its component
   * @param tasks how many share the rate
   */
  Schedule(int task, int tasks) {
    this.task = task;
    this.tasks = tasks;
  }

  /** Takes an order; one that is known already changes nothing. */
  void follow(Order next, long nowNanos) {
    if (next.step() == order.step()) {
      return;
    }
    order = next;
    nanosPerFlight = 1e9 * tasks / next.perSec();
    // The tasks emit in turn.
    began =
        nowNanos + (long) (Double.isInfinite(next.perSec()) ? 0 : nanosPerFlight * task / tasks);
    emitted = 0;
  }

  /** Whether a flight is due. */
  boolean due(long nowNanos) {
    return order.perSec() > 0 && nowNanos - next(nowNanos) >= 0;
  }

  /** The instant at which the flight that is due now should have been emitted; it is now spent. */
  long take(long nowNanos) {
    long due = next(nowNanos);
    emitted++;
    return due;
  }

  private long next(long nowNanos) {
    // Multiplied and not added up, so that no rounding slows the clock.
    return Double.isInfinite(order.perSec()) ? nowNanos : began + (long) (emitted * nanosPerFlight);
  }
}
