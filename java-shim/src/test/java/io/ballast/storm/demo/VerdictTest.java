package io.ballast.storm.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The demo's exit code: each promise can fail, alone, and is then named. */
class VerdictTest {
  private static final AppliedPlan PLAN = new AppliedPlan("plan-1", 7, 2, 0.1, List.of("a move"));

  /** Two nodes of one core, so far from their mean. */
  private static Optional<Measured> distance(double distance, long failed) {
    return Optional.of(
        new Measured(
            20,
            List.of(
                new Measured.Node("node-0001", 0.4 + distance, 1, 2, 9),
                new Measured.Node("node-0002", 0.4 - distance, 1, 2, 9)),
            400,
            4000,
            7,
            failed));
  }

  private static View end(
      Optional<Measured> before, Optional<Measured> now, List<AppliedPlan> plans, int restarts) {
    return new View(90, "done", before, now, plans, restarts);
  }

  private static String onlyFailure(View end) {
    List<String> failures = Verdict.failures(end);
    assertEquals(1, failures.size(), failures::toString);
    return failures.get(0);
  }

  @Test
  void allThreeKept() {
    View end = end(distance(0.3, 5), distance(0.14, 0), List.of(PLAN), 2);
    assertEquals(List.of(), Verdict.failures(end), "failures before the move are not the plan's");
  }

  @Test
  void aBalanceThatNoPlanOfBallastsBroughtFails() {
    assertTrue(
        onlyFailure(end(distance(0.3, 0), distance(0.1, 0), List.of(), 2)).startsWith("PLAN"));
    assertTrue(
        onlyFailure(end(distance(0.3, 0), distance(0.1, 0), List.of(PLAN), 0)).startsWith("PLAN"));
  }

  @Test
  void lessThanHalfFails() {
    String failure = onlyFailure(end(distance(0.3, 0), distance(0.16, 0), List.of(PLAN), 2));
    assertTrue(failure.startsWith("BALANCE") && failure.contains("0.300 to 0.160"), failure);
  }

  @Test
  void whatWasNotMeasuredFails() {
    assertTrue(
        onlyFailure(end(Optional.empty(), distance(0.1, 0), List.of(PLAN), 2))
            .startsWith("BALANCE"));
    assertTrue(
        onlyFailure(end(distance(0.3, 0), Optional.empty(), List.of(PLAN), 2))
            .startsWith("BALANCE"));
  }

  @Test
  void aTupleTreeThatFailedAfterTheSettleTimeFails() {
    assertTrue(
        onlyFailure(end(distance(0.3, 0), distance(0.1, 1), List.of(PLAN), 2))
            .startsWith("TUPLES: 1 "));
  }
}
