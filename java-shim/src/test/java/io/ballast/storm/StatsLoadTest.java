package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.scheduler.ExecutorDetails;
import org.junit.jupiter.api.Test;

/** Storm's statistics of an executor, read as load; figures of the field cases B11 to B14. */
class StatsLoadTest {
  private static final double METRIC_SECS = 60;

  /** A bolt's statistics: one input, executed tuples and mean latency in one window. */
  static ExecutorSummary bolt(int uptime, String window, long executed, double latencyMs) {
    GlobalStreamId input = new GlobalStreamId("source", "default");
    BoltStats bolt = new BoltStats(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
    bolt.set_executed(new HashMap<>(Map.of(window, Map.of(input, executed))));
    bolt.set_execute_ms_avg(new HashMap<>(Map.of(window, Map.of(input, latencyMs))));
    return summary(uptime, stats(ExecutorSpecificStats.bolt(bolt), Map.of()));
  }

  private static ExecutorStats stats(ExecutorSpecificStats specific, Map<String, Long> emitted) {
    return new ExecutorStats(
        new HashMap<>(Map.of("600", emitted)), new HashMap<>(), specific, 20.0);
  }

  private static ExecutorSummary summary(int uptime, ExecutorStats stats) {
    ExecutorSummary summary =
        new ExecutorSummary(new ExecutorInfo(5, 6), "count", "node1", 6700, uptime);
    summary.set_stats(stats);
    return summary;
  }

  private static double cores(ExecutorSummary summary) {
    return StatsLoad.cores(summary, METRIC_SECS);
  }

  @Test
  void loadIsExecutedTimesLatencyOverTheWindow() {
    assertEquals(0.4, cores(bolt(7200, "600", 360_000, 0.6666666666666666)), 1e-9);
  }

  @Test
  void aWorkerYoungerThanTheWindowCountsItsUptime() {
    assertEquals(3.2, cores(bolt(5, "600", 40, 400)), 1e-9);
  }

  @Test
  void inputsAreSummedAndNegativeCountsLeftOut() {
    ExecutorSummary two = bolt(600, "600", 100_000, 1);
    Map<GlobalStreamId, Long> counts = new HashMap<>();
    counts.put(new GlobalStreamId("source", "default"), 100_000L);
    counts.put(new GlobalStreamId("source", "late"), 50_000L);
    counts.put(new GlobalStreamId("source", "__metrics"), -340L);
    Map<GlobalStreamId, Double> latencies = new HashMap<>();
    latencies.put(new GlobalStreamId("source", "default"), 1.0);
    latencies.put(new GlobalStreamId("source", "late"), 4.0);
    latencies.put(new GlobalStreamId("source", "__metrics"), 5.0);
    BoltStats bolt = two.get_stats().get_specific().get_bolt();
    bolt.get_executed().put("600", counts);
    bolt.get_execute_ms_avg().put("600", latencies);
    assertEquals(0.5, cores(two), 1e-9);
  }

  @Test
  void noStatisticsYetIsMissing() {
    ExecutorSummary young = new ExecutorSummary(new ExecutorInfo(5, 6), "count", "node1", 6700, 40);
    assertMissing(young);
  }

  @Test
  void noHeartbeatIsMissingAlthoughStormSaysZero() {
    assertMissing(bolt(0, "600", 0, 0));
  }

  @Test
  void nothingExecutedByAYoungWorkerIsMissingAndByAnOldOneIsIdle() {
    assertMissing(bolt(120, "600", 0, 0));
    assertEquals(0.0, cores(bolt(121, "600", 0, 0)));
  }

  @Test
  void emittedWithoutExecutedContradictsItselfAndIsMissing() {
    ExecutorSummary contradicting = bolt(7200, "600", 0, 0);
    contradicting.get_stats().put_to_emitted("600", Map.of("default", 48_000L));
    assertMissing(contradicting);
  }

  @Test
  void aSpoutIsNotMeasuredByStatistics() {
    SpoutStats spout = new SpoutStats(Map.of(), Map.of(), Map.of());
    assertMissing(summary(7200, stats(ExecutorSpecificStats.spout(spout), Map.of())));
  }

  @Test
  void theDifferenceOfTwoBeatsFollowsALoadThatChanged() {
    StatsHistory history = new StatsHistory();
    // 1000 s at 0.1 core, then 120 s at 0.5 core.
    assertEquals(0.1, read(history, 1000, 100_000).get(0), 1e-9);
    assertEquals(0.5, read(history, 1120, 160_000).get(0), 1e-9);
    // A beat that did not come: nothing new, the same figure.
    assertEquals(0.5, read(history, 1120, 160_000).get(0), 1e-9);
    assertEquals(0.0, read(history, 1240, 160_000).get(0), 1e-9);
  }

  @Test
  void theWindowSaysWhatWasUsed() {
    StatsHistory history = new StatsHistory();
    assertEquals(600, read(history, 1000, 100_000).get(1));
    assertEquals(600, read(history, 1060, 106_000).get(1));
    assertEquals(130, read(history, 1130, 113_000).get(1));
  }

  @Test
  void aWorkerThatRestartedBeginsANewLife() {
    StatsHistory history = new StatsHistory();
    read(history, 3605, 360_500);
    List<Double> afterRestart = read(history, 130, 26_000);
    assertEquals(0.2, afterRestart.get(0), 1e-9);
    assertEquals(130, afterRestart.get(1));
  }

  /**
   * Load and window of an executor with this uptime and busy time; the 600 s window says 0.1 core.
   */
  private static List<Double> read(StatsHistory history, int uptime, double busyMs) {
    double window = Math.min(600, uptime);
    ExecutorSummary beat = bolt(uptime, ":all-time", (long) busyMs, 1);
    GlobalStreamId input = new GlobalStreamId("source", "default");
    double recent = uptime < 600 ? busyMs : window * 100;
    BoltStats bolt = beat.get_stats().get_specific().get_bolt();
    bolt.get_executed().put("600", Map.of(input, (long) recent));
    bolt.get_execute_ms_avg().put("600", Map.of(input, 1.0));
    StatsHistory.Reading reading = history.read("t1", List.of(beat), METRIC_SECS);
    Loads.Load load = reading.loads().get(new ExecutorDetails(5, 6));
    assertEquals(uptime, load.uptimeSecs());
    return List.of(load.cores(), reading.windowSecs());
  }

  private static void assertMissing(ExecutorSummary summary) {
    assertTrue(Double.isNaN(cores(summary)), () -> "read as " + cores(summary));
  }

  private static final GlobalStreamId INPUT = new GlobalStreamId("source", "default");

  /** A bolt at some uptime that executed and emitted so much since its start, and in the window. */
  private static ExecutorSummary counted(
      int uptime, long executed, long emitted, long executedInWindow, long emittedInWindow) {
    ExecutorSummary beat = bolt(uptime, ":all-time", executed, 1);
    BoltStats bolt = beat.get_stats().get_specific().get_bolt();
    bolt.get_executed().put("600", Map.of(INPUT, executedInWindow));
    bolt.get_execute_ms_avg().put("600", Map.of(INPUT, 1.0));
    beat.get_stats().put_to_emitted(":all-time", Map.of("default", emitted));
    beat.get_stats().put_to_emitted("600", Map.of("default", emittedInWindow));
    return beat;
  }

  private static Loads.Load load(StatsHistory history, ExecutorSummary beat) {
    return history.read("t1", List.of(beat), METRIC_SECS).loads().get(new ExecutorDetails(5, 6));
  }

  @Test
  void ratesComeFromTheSameSpanAsTheLoad() {
    StatsHistory history = new StatsHistory();
    Loads.Load window = load(history, counted(1000, 100_000, 50_000, 60_000, 30_000));
    assertEquals(Map.of(INPUT, 100.0), window.rates().received());
    assertEquals(50.0, window.rates().emitted(), 1e-9);
    // 120 s later: 500 a second received and 10 emitted, whatever the window says.
    Loads.Load span = load(history, counted(1120, 160_000, 51_200, 108_000, 26_000));
    assertEquals(500.0, span.rates().receivedPerSec(), 1e-9);
    assertEquals(10.0, span.rates().emitted(), 1e-9);
    assertEquals(0.5, span.cores(), 1e-9);
  }

  @Test
  void aSpoutReceivesNothingThatIsMeasuredAndEmitsWhatItEmits() {
    SpoutStats spout = new SpoutStats(Map.of(), Map.of(), Map.of());
    ExecutorSummary summary =
        summary(
            7200, stats(ExecutorSpecificStats.spout(spout), Map.of("default", 6000L, "late", 60L)));
    Loads.Load load = load(new StatsHistory(), summary);
    assertTrue(Double.isNaN(load.cores()));
    assertTrue(Double.isNaN(load.rates().receivedPerSec()));
    assertEquals(10.1, load.rates().emitted(), 1e-9);
  }

  @Test
  void whatIsMissingHasNoRates() {
    ExecutorSummary young = new ExecutorSummary(new ExecutorInfo(5, 6), "count", "node1", 6700, 40);
    for (ExecutorSummary summary : List.of(young, bolt(0, "600", 0, 0), bolt(120, "600", 0, 0))) {
      Loads.Rates rates = load(new StatsHistory(), summary).rates();
      assertTrue(Double.isNaN(rates.receivedPerSec()) && Double.isNaN(rates.emitted()));
    }
  }

  @Test
  void theStreamOfAComponentIsMeasuredOnlyWhereAllItsExecutorsAre() {
    ExecutorDetails one = new ExecutorDetails(1, 1);
    ExecutorDetails other = new ExecutorDetails(2, 2);
    Loads.Load told = new Loads.Load(0.1, 900, null, 0, new Loads.Rates(Map.of(INPUT, 7.0), 0));
    Loads all = new Loads(600, Map.of("t1", Map.of(one, told, other, told)));
    assertEquals(14.0, all.received("t1", List.of(one, other), INPUT));
    Loads half = new Loads(600, Map.of("t1", Map.of(one, told, other, Loads.Load.of(0.1, 900))));
    assertTrue(Double.isNaN(half.received("t1", List.of(one, other), INPUT)));
  }

  /** Field case D07: ten minutes of statistics cannot have become zero within one. */
  @Test
  void aWindowThatWasFullAMinuteAgoAndHoldsNothingIsMissingAndNotIdle() {
    StatsHistory history = new StatsHistory();
    load(history, counted(3600, 18_000_000, 18_000_000, 3_000_000, 3_000_000));
    Loads.Load partial = load(history, counted(3660, 18_000_000, 18_000_000, 0, 0));
    assertTrue(Double.isNaN(partial.cores()) && Double.isNaN(partial.rates().emitted()));
    Loads.Load later = load(history, counted(4300, 18_000_000, 18_000_000, 0, 0));
    assertEquals(0.0, later.cores());
  }
}
