package io.ballast.storm.bench.cluster;

import io.ballast.storm.demo.Sizing;
import java.util.Locale;

/** Prints how many bootstrap samples are a millisecond's work on this machine. */
final class Calibrate {
  private Calibrate() {}

  /** Takes no arguments. */
  public static void main(String[] none) {
    System.out.printf(Locale.ROOT, "%.1f%n", 1e-3 / Sizing.secsPerSample());
  }
}
