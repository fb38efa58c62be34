package io.ballast.storm.telemetry;

/**
 * What one task usually uses: mean and swing of its CPU load over the last minutes in which its
 * worker was warm, whichever worker that was. A JVM that has just started runs interpreted code and
 * compiles, so what a task uses there says little of what it will use; this does.
 */
final class TaskHistory {
  /**
   * Age at which a report counts half: two planning rounds. Shorter, a single round would rule it;
   * longer, a load that really changes would be told late after the next restart.
   */
  static final double HALF_LIFE_SECS = 120.0;

  /** Seconds measured that make a history: fewer are a moment. */
  static final double KNOWN_SECS = 30.0;

  /** Seconds in a row in which a task must do otherwise than usual for that to be no warm-up. */
  static final double STRAYED_SECS = 60.0;

  private static final double SWINGS = 3.0;
  private static final double RATE_CHANGE = 0.25;

  private double mean;
  private double squares;
  private double rate;
  private double secs;
  private double weight;
  private double strayed;
  private long at;

  /**
   * Takes a report of a warm worker.
   *
   * @param cores of the interval
   * @param told the load that plans are told after this report; what counts as swing is how far
   *     that one is off, not a single interval, which no plan goes by
   * @param perSec tuples a second of the interval
   */
  void add(double cores, double told, double perSec, double intervalSecs, long nowNanos) {
    double age = secs == 0 ? 0 : Math.max(0, nowNanos - at) / 1e9;
    weight = weight * Math.pow(0.5, age / HALF_LIFE_SECS) + intervalSecs;
    double share = intervalSecs / weight;
    mean += share * (cores - mean);
    rate += share * (perSec - rate);
    squares += share * ((told - mean) * (told - mean) - squares);
    secs = Math.min(KNOWN_SECS, secs + intervalSecs);
    strayed = 0;
    at = nowNanos;
  }

  /**
   * Takes a report of a worker that warms up. It is held against what is usual and adds nothing to
   * it. A warm-up costs CPU for the same tuples, or for fewer where it starves them; so only a task
   * whose load and tuples both went the same way, and far, has really changed.
   */
  void compare(double told, double perSec, double intervalSecs) {
    double off = told - mean;
    double rateOff = perSec - rate;
    boolean far = Math.abs(off) > SWINGS * Math.sqrt(squares);
    boolean busierOrIdler = Math.abs(rateOff) > RATE_CHANGE * rate && off * rateOff > 0;
    strayed = far && busierOrIdler ? strayed + intervalSecs : 0;
  }

  boolean known() {
    return secs >= KNOWN_SECS;
  }

  /** The task has changed: what was usual is so no more. */
  boolean strayed() {
    return strayed >= STRAYED_SECS;
  }

  double mean() {
    return mean;
  }

  /** Square of the swing. */
  double variance() {
    return squares;
  }
}
