package io.ballast.storm.demo;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.generated.SupervisorSummary;

/**
 * What Nimbus says of a topology at one moment: each executor's slot and the sums of its statistics
 * since its worker started it.
 *
 * @param atNanos reading of the monotonic clock
 * @param slots where each executor is assigned, by first task
 * @param counts statistics, by first task; an executor that has reported none is absent, not zero
 */
record Reading(long atNanos, SortedMap<Long, Slot> slots, SortedMap<Long, Counts> counts) {
  private static final String ALL_TIME = ":all-time";

  /** A worker's place: supervisor and port. */
  record Slot(String node, long port) {}

  /**
   * @param uptimeSecs of the worker
   * @param executed tuples; 0 for a spout
   * @param busyMillis executed x execute latency; 0 for a spout, which Storm does not time
   * @param acked tuple trees complete; only a spout has any
   * @param failed tuple trees failed or timed out; only a spout has any
   * @param completeMillis acked x complete latency; only a spout has any
   */
  record Counts(
      int uptimeSecs,
      double executed,
      double busyMillis,
      long acked,
      long failed,
      double completeMillis) {}

  /** Options for {@code getTopologyInfoWithOpts} that leave out what is not read here. */
  static final GetInfoOptions OPTIONS = options();

  /**
   * @param slots where each executor is assigned, by first task
   * @param executors what Nimbus has of their statistics
   */
  static Reading of(SortedMap<Long, Slot> slots, List<ExecutorSummary> executors) {
    SortedMap<Long, Counts> counts = new TreeMap<>();
    for (ExecutorSummary executor : executors) {
      if (executor.is_set_stats()) {
        counts.put((long) executor.get_executor_info().get_task_start(), counts(executor));
      }
    }
    return new Reading(System.nanoTime(), slots, counts);
  }

  /** Every executor has reported, and its worker has been up for so long. */
  boolean allUpFor(int secs) {
    return !slots.isEmpty()
        && counts.keySet().containsAll(slots.keySet())
        && counts.values().stream().allMatch(count -> count.uptimeSecs() >= secs);
  }

  /** Capacity in cores of each supervisor, by its id. */
  static Map<String, Double> capacityCores(ClusterSummary cluster) {
    Map<String, Double> capacity = new TreeMap<>();
    for (SupervisorSummary supervisor : cluster.get_supervisors()) {
      double pcore = supervisor.get_total_resources().get("cpu.pcore.percent");
      capacity.put(supervisor.get_supervisor_id(), pcore / 100);
    }
    return capacity;
  }

  private static GetInfoOptions options() {
    GetInfoOptions options = new GetInfoOptions();
    options.set_num_err_choice(NumErrorsChoice.NONE);
    return options;
  }

  private static Counts counts(ExecutorSummary executor) {
    ExecutorSpecificStats stats = executor.get_stats().get_specific();
    int uptime = executor.get_uptime_secs();
    if (stats.is_set_bolt()) {
      BoltStats bolt = stats.get_bolt();
      double executed =
          bolt.get_executed().getOrDefault(ALL_TIME, Map.of()).values().stream()
              .mapToLong(Long::longValue)
              .sum();
      double busy =
          weighted(
              bolt.get_executed().getOrDefault(ALL_TIME, Map.of()),
              bolt.get_execute_ms_avg().getOrDefault(ALL_TIME, Map.of()));
      return new Counts(uptime, executed, busy, 0, 0, 0);
    }
    SpoutStats spout = stats.get_spout();
    Map<String, Long> acked = spout.get_acked().getOrDefault(ALL_TIME, Map.of());
    return new Counts(
        uptime,
        0,
        0,
        sum(acked),
        sum(spout.get_failed().getOrDefault(ALL_TIME, Map.of())),
        weighted(acked, spout.get_complete_ms_avg().getOrDefault(ALL_TIME, Map.of())));
  }

  private static long sum(Map<String, Long> streams) {
    return streams.values().stream().mapToLong(Long::longValue).sum();
  }

  private static <K> double weighted(Map<K, Long> counts, Map<K, Double> averages) {
    return counts.entrySet().stream()
        .mapToDouble(entry -> entry.getValue() * averages.getOrDefault(entry.getKey(), 0.0))
        .sum();
  }
}
