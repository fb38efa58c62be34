package io.ballast.storm.telemetry;

/**
 * A rate over the last reports: amounts and lengths of intervals, both summed with weights that
 * fall to 1/e in {@value #MEMORY_SECS} s of this process's clock. So it is exactly the mean where
 * nothing changes, however long or irregular the intervals are, and a lost report costs nothing.
 */
final class Decayed {
  /** Age at which a report counts 1/e of a new one. */
  static final double MEMORY_SECS = 60.0;

  private double amount;
  private double secs;
  private long at;

  /** What an older report still counts, this many nanoseconds later. */
  static double weight(long nanos) {
    return Math.exp(-Math.max(0, nanos) / (MEMORY_SECS * 1e9));
  }

  void add(double more, double intervalSecs, long nowNanos) {
    double weight = secs == 0 ? 0 : weight(nowNanos - at);
    amount = amount * weight + more;
    secs = secs * weight + intervalSecs;
    at = nowNanos;
  }

  /** A second; NaN: nothing was added. */
  double rate() {
    return secs == 0 ? Double.NaN : amount / secs;
  }

  /** Seconds it was measured over, weighted. */
  double secs() {
    return secs;
  }
}
