package io.ballast.storm.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The three things the demo promises, and which of them did not come true. */
final class Verdict {
  private Verdict() {}

  /** What failed, one line each; empty: all three came true. */
  static List<String> failures(View end) {
    List<String> failures = new ArrayList<>();
    if (end.plans().isEmpty()) {
      failures.add("PLAN: the scheduler reports no plan of Ballast's that it applied");
    } else if (end.restarts() == 0) {
      failures.add("PLAN: a plan was reported as applied, but Storm's assignment did not change");
    }
    if (end.before().isEmpty()) {
      failures.add("BALANCE: the load before the move could not be measured");
    } else if (end.now().isEmpty()) {
      failures.add("BALANCE: the load after the move could not be measured");
    } else if (end.now().get().loadDistance() > end.before().get().loadDistance() / 2) {
      failures.add(
          String.format(
              Locale.ROOT,
              "BALANCE: the measured load distance went from %.3f to %.3f and fell by less than half",
              end.before().get().loadDistance(),
              end.now().get().loadDistance()));
    }
    if (end.now().isPresent() && end.now().get().failed() > 0) {
      failures.add(
          "TUPLES: " + end.now().get().failed() + " tuple trees failed after the settle time");
    }
    return failures;
  }
}
