package io.ballast.storm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ballast.hook.Reports;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

/** What is usual outlives workers, and only a real change ends it. */
class TaskHistoryTest {
  private static final String ID = "t-1-1";
  private static final int TASK = 3;
  private static final double WARM = 300;

  private long now = 5_000_000_000L;
  private final Measurements measured = new Measurements(() -> now, WARM);

  private void report(String host, int task, long cpuMillis, long received, double uptimeSecs) {
    now += 10_000_000_000L;
    MeasurementsDoor.add(
        measured, ID, Reports.aged(host, 6700, task, cpuMillis, received, uptimeSecs), now);
  }

  /** Ten minutes of a worker that has long been warm. */
  private void warm(IntToLongFunction cpuMillis) {
    for (int i = 0; i < 60; i++) {
      report("n1", TASK, cpuMillis.applyAsLong(i), 1000, 3600 + i * 10);
    }
  }

  private ExecutorFigures figures() {
    return measured.executor(ID, TASK, TASK, 60).orElseThrow();
  }

  @Test
  void aRestartElsewhereDoesNotChangeWhatIsUsual() {
    warm(i -> 1000);
    for (int i = 1; i < 30; i++) {
      report("n2", TASK, 2500, 1000, i * 10);
    }
    assertTrue(figures().cores() > 0.24, "interpreted code");
    assertEquals(new Usual(0.1, 0, true), rounded(figures().usual()));
    for (int i = 30; i < 150; i++) {
      report("n2", TASK, 1500, 1000, i * 10);
    }
    assertEquals(0.15, figures().usual().cores(), 0.002, "warm again: it follows");
  }

  private static Usual rounded(Usual usual) {
    return new Usual(
        Math.round(usual.cores() * 1e6) / 1e6,
        Math.round(usual.swingCores() * 1e6) / 1e6,
        usual.holds());
  }

  /** Figures of single reports that jump are smoothed before a plan sees them. */
  @Test
  void swingIsThatOfTheLoadPlansAreTold() {
    warm(i -> i % 2 == 0 ? 500 : 1500);
    assertEquals(0.1, figures().usual().cores(), 0.002);
    double jumping = figures().usual().swingCores();
    assertTrue(jumping > 0.001 && jumping < 0.01, "" + jumping);
    warm(i -> i / 15 % 2 == 0 ? 500 : 1500);
    double slow = figures().usual().swingCores();
    assertTrue(slow > 0.015 && slow < 0.03, "" + slow);
  }

  @Test
  void halfOfWhatIsUsualIsTwoMinutesOld() {
    warm(i -> 1000);
    for (int i = 0; i < 12; i++) {
      report("n1", TASK, 3000, 1000, 4200 + i * 10);
    }
    assertEquals(0.2, figures().usual().cores(), 0.003, "half of 0.1 and half of 0.3");
  }

  /** Holds after so long in a worker that warms up, with this load and these tuples. */
  private boolean holds(long cpuMillis, long received, int secs) {
    for (int i = 1; i <= secs / 10; i++) {
      report("n2", TASK, cpuMillis, received, i * 10);
    }
    return figures().usual().holds();
  }

  @Test
  void threeTimesTheTuplesForThreeTimesTheLoadAreNoWarmUp() {
    warm(i -> 1000);
    assertTrue(holds(3000, 3000, 50), "not yet a minute");
    assertFalse(holds(3000, 3000, 10));
    assertTrue(holds(1000, 1000, 10), "it is as before");
  }

  @Test
  void moreLoadForAsManyTuplesOrFewerIsAWarmUp() {
    warm(i -> 1000);
    assertTrue(holds(3000, 1000, 120));
    assertTrue(holds(3000, 1200, 120), "a fifth more is not enough");
    assertTrue(holds(3000, 400, 120), "what compiles starves the tuples");
  }

  @Test
  void lessLoadForFewerTuplesIsAChange() {
    warm(i -> 1000);
    assertFalse(holds(300, 300, 120));
  }

  @Test
  void aMomentIsNoHistoryAndAnHourAgoIsForgotten() {
    report("n1", TASK, 1000, 1000, 3600);
    report("n1", TASK, 1000, 1000, 3610);
    assertNull(figures().usual());
    report("n1", TASK, 1000, 1000, 3620);
    assertEquals(0.1, figures().usual().cores(), 1e-9);
    now += 3_601_000_000_000L;
    report("n2", 9, 1000, 1000, 10);
    report("n2", TASK, 1000, 1000, 10);
    assertNull(figures().usual());
  }

  /** {@code storm rebalance -e}: what was two executors is one. */
  @Test
  void renumberedExecutorsHaveTheHistoryOfTheirTasks() {
    warm(i -> i / 15 % 2 == 0 ? 500 : 1500);
    Usual one = figures().usual();
    assertNull(measured.executor(ID, TASK, TASK + 1, 6000).map(f -> f.usual()).orElse(null));
    for (int i = 0; i < 60; i++) {
      report("n3", TASK + 1, 2000, 1000, 3600 + i * 10);
    }
    Usual both = measured.executor(ID, TASK, TASK + 1, 6000).orElseThrow().usual();
    assertEquals(one.cores() + 0.2, both.cores(), 1e-6);
    assertEquals(one.swingCores(), both.swingCores(), 1e-6, "the other one is steady");
  }

  @Test
  void whereNoWorkerIsTakenToWarmUpNothingStandsInForAMeasurement() {
    Measurements off = new Measurements(() -> now, 0);
    for (int i = 0; i < 5; i++) {
      now += 10_000_000_000L;
      MeasurementsDoor.add(off, ID, Reports.aged("n1", 6700, TASK, 1000, 9, i * 10), now);
    }
    Usual usual = off.executor(ID, TASK, TASK, 60).orElseThrow().usual();
    assertFalse(usual.holds());
    assertEquals(0.0, usual.swingCores(), 1e-9, "yet its swing is known");
  }
}
