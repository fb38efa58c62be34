package io.ballast.storm;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.scheduler.ExecutorDetails;

/**
 * The load of one executor from Storm's statistics of it. Busy time is the sum over its input
 * streams of executed tuples × execute latency (ms); over the window it is cores, if the executor
 * computes rather than waits (Storm's own {@code capacity}).
 *
 * <p>Missing is told from zero as follows. No load: a spout (statistics do not measure it); no
 * statistics yet (they come every {@code executor.metrics.frequency.secs}); uptime 0 (no heartbeat:
 * Storm fills in zeros); nothing executed although tuples were emitted (statistics contradict
 * themselves, as without ackers in older versions); nothing executed by a worker that is not yet up
 * for two metric periods. A bolt with statistics that executed nothing and emitted nothing while
 * its worker is up longer than that is idle: a measured 0.
 */
final class StatsLoad {
  /** Storm's short window, seconds. */
  static final double WINDOW_SECS = 600.0;

  private static final String WINDOW = "600";
  private static final String ALL_TIME = ":all-time";

  private StatsLoad() {}

  static ExecutorDetails executor(ExecutorSummary summary) {
    return new ExecutorDetails(
        summary.get_executor_info().get_task_start(), summary.get_executor_info().get_task_end());
  }

  /**
   * Load over Storm's 600 s window.
   *
   * @param metricSecs period of the executors' statistics
   * @return cores; NaN: not measured
   */
  static double cores(ExecutorSummary summary, double metricSecs) {
    BoltStats bolt = bolt(summary);
    int uptime = summary.get_uptime_secs();
    if (bolt == null || uptime <= 0) {
      return Double.NaN;
    }
    if (executed(bolt, WINDOW) == 0) {
      boolean idle = emitted(summary.get_stats(), WINDOW) == 0 && uptime > 2 * metricSecs;
      return idle ? 0.0 : Double.NaN;
    }
    return busyMs(bolt, WINDOW) / (1000.0 * Math.min(uptime, WINDOW_SECS));
  }

  /**
   * Busy time since the worker started.
   *
   * @return milliseconds; NaN: no statistics
   */
  static double busyMsAllTime(ExecutorSummary summary) {
    BoltStats bolt = bolt(summary);
    return bolt == null ? Double.NaN : busyMs(bolt, ALL_TIME);
  }

  /**
   * What an executor counted since its worker started and in Storm's window.
   *
   * @param executed by input stream since the start; null: a spout, or none is told
   * @param emitted over all streams since the start
   * @param executedInWindow the same in the window
   * @param emittedInWindow the same in the window
   */
  record Counts(
      Map<GlobalStreamId, Long> executed,
      long emitted,
      Map<GlobalStreamId, Long> executedInWindow,
      long emittedInWindow) {}

  /** Null: no statistics yet, or no heartbeat. */
  static Counts counts(ExecutorSummary summary) {
    if (!summary.is_set_stats() || summary.get_uptime_secs() <= 0) {
      return null;
    }
    ExecutorStats stats = summary.get_stats();
    BoltStats bolt = bolt(summary);
    return new Counts(
        bolt == null ? null : bolt.get_executed().getOrDefault(ALL_TIME, Map.of()),
        emitted(stats, ALL_TIME),
        bolt == null ? null : bolt.get_executed().getOrDefault(WINDOW, Map.of()),
        emitted(stats, WINDOW));
  }

  private static BoltStats bolt(ExecutorSummary summary) {
    if (!summary.is_set_stats() || !summary.get_stats().is_set_specific()) {
      return null;
    }
    ExecutorSpecificStats specific = summary.get_stats().get_specific();
    if (!specific.is_set_bolt() || !specific.get_bolt().is_set_executed()) {
      return null;
    }
    return specific.get_bolt();
  }

  private static long executed(BoltStats bolt, String window) {
    Map<GlobalStreamId, Long> counts = bolt.get_executed().getOrDefault(window, Map.of());
    return counts.values().stream().mapToLong(count -> Math.max(0, count)).sum();
  }

  private static long emitted(ExecutorStats stats, String window) {
    Map<String, Long> counts =
        stats.is_set_emitted() ? stats.get_emitted().getOrDefault(window, Map.of()) : Map.of();
    return counts.values().stream().mapToLong(count -> Math.max(0, count)).sum();
  }

  private static double busyMs(BoltStats bolt, String window) {
    Map<GlobalStreamId, Double> latencies =
        bolt.is_set_execute_ms_avg()
            ? bolt.get_execute_ms_avg().getOrDefault(window, new HashMap<>())
            : Map.of();
    double busy = 0.0;
    for (var input : bolt.get_executed().getOrDefault(window, Map.of()).entrySet()) {
      double latency = latencies.getOrDefault(input.getKey(), 0.0);
      if (input.getValue() > 0 && latency > 0 && Double.isFinite(latency)) {
        busy += input.getValue() * latency;
      }
    }
    return busy;
  }
}
