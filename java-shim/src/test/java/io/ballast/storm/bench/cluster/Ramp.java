package io.ballast.storm.bench.cluster;

import java.util.OptionalDouble;

/**
 * The rates that are tried, one step after the other, until the highest that is held is known: each
 * a tenth above the last one that was held, from well below. A step that is not held is tried once
 * more, so that one pause of the machine ends no ramp; twice means too high. If even the first is
 * too high, the ramp begins again at half of it.
 */
final class Ramp {
  static final double FACTOR = 1.1;

  /** A ramp that has no end by then began much too low, or somebody counts wrongly. */
  private static final int STEPS_MAX = 40;

  private double rate;
  private double held = Double.NaN;
  private boolean triedTwice;
  private boolean over;
  private int steps;

  /**
   * @param start first rate
   */
  Ramp(double start) {
    this.rate = start;
  }

  /** The rate to try now, until it is over. */
  double rate() {
    return rate;
  }

  boolean over() {
    return over;
  }

  /** What came of {@link #rate}. */
  void tried(boolean wasHeld) {
    steps++;
    if (wasHeld) {
      held = rate;
      rate *= FACTOR;
      triedTwice = false;
    } else if (!triedTwice) {
      triedTwice = true;
    } else if (Double.isNaN(held)) {
      rate /= 2;
      triedTwice = false;
    } else {
      over = true;
    }
    over |= steps >= STEPS_MAX;
  }

  /** The highest rate that was held; empty: none was. */
  OptionalDouble sustainable() {
    return Double.isNaN(held) ? OptionalDouble.empty() : OptionalDouble.of(held);
  }

  /**
   * The rule for one step: 98 % of what was offered came back, and 99 % of what came back did
   * within a second of the instant it was due.
   *
   * @param offeredPerSec flights a second
   */
  static boolean held(double offeredPerSec, Flow flow) {
    return flow.ackedPerSec() >= 0.98 * offeredPerSec && flow.p99Ms() < 1000;
  }
}
