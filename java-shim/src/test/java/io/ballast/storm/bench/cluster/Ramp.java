package io.ballast.storm.bench.cluster;

import java.util.OptionalDouble;

/**
 * The rates that are tried, one step after the other, until the highest that is held is known to a
 * tenth. They are powers of 1.1 above a first one that is surely held; as long as nothing was too
 * high every second of them is left out. A step that is not held is tried once more, so that one
 * pause of the machine ends no ramp; twice means too high. If even the first is too high, the ramp
 * begins again at half of it. Where a rate is known that an earlier run has held, the ramp begins
 * two below that one: the same rates, fewer of them.
 */
final class Ramp {
  static final double FACTOR = 1.1;

  /** A ramp that has no end by then began much too low, or somebody counts wrongly. */
  private static final int STEPS_MAX = 40;

  private double start;
  private int power;
  private int held = -1;
  private int tooHigh = Integer.MAX_VALUE;
  private boolean again;
  private boolean over;
  private int steps;

  /**
   * @param start first rate
   * @param before a rate that was held by a run like this one; 0: none is known
   */
  Ramp(double start, double before) {
    this.start = start;
    if (before > start) {
      power = Math.max(0, (int) Math.round(Math.log(before / start) / Math.log(FACTOR)) - 2);
    }
  }

  /** The rate to try now, until it is over. */
  double rate() {
    return rate(power);
  }

  boolean over() {
    return over;
  }

  /** What came of {@link #rate}. */
  void tried(boolean wasHeld) {
    steps++;
    over = steps >= STEPS_MAX;
    if (!wasHeld && !again) {
      again = true;
      return;
    }
    again = false;
    if (wasHeld) {
      held = power;
    } else if (power == 0) {
      start /= 2;
      return;
    } else {
      tooHigh = power;
    }
    power = tooHigh == Integer.MAX_VALUE ? held + 2 : held + 1;
    over |= power >= tooHigh;
  }

  /** The highest rate that was held; empty: none was. */
  OptionalDouble sustainable() {
    return held < 0 ? OptionalDouble.empty() : OptionalDouble.of(rate(held));
  }

  private double rate(int power) {
    return start * Math.pow(FACTOR, power);
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
