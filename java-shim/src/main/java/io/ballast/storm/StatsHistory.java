package io.ballast.storm;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.scheduler.ExecutorDetails;

/**
 * Follows drift faster than Storm's 600 s window: the difference of two all-time figures of the
 * same worker life is the load of the time between them. Counts are sampled ({@code
 * topology.stats.sample.rate} 0.05: steps of 20 tuples), so the span must not be short; below
 * {@link #SPAN_SECS}, and for a worker that restarted in between, Storm's own window is taken.
 *
 * <p>A span is counted in uptime, not by the clock: uptime and counts come in the same heartbeat,
 * so a beat that is late makes both late, and the rate stays right. Rates of tuples are taken over
 * the same span.
 */
final class StatsHistory {
  /** Shortest span a difference is taken over, seconds; a multiple of the default metric period. */
  static final double SPAN_SECS = 120.0;

  /** Load of Storm's window above which it cannot be zero a moment later, cores. */
  private static final double BUSY = 0.01;

  /** Figures of one heartbeat: those since the worker's start, and the load of Storm's window. */
  private record Beat(
      int uptimeSecs,
      double busyMs,
      StatsLoad.Counts counts,
      double windowCores,
      String host,
      int port) {}

  /** Loads of one topology, and the longest window any of them comes from. */
  record Reading(Map<ExecutorDetails, Loads.Load> loads, double windowSecs) {}

  private final Map<String, Map<ExecutorDetails, Deque<Beat>>> beats = new HashMap<>();

  /**
   * Reads one topology's executors.
   *
   * @param metricSecs period of the executors' statistics
   */
  Reading read(String topologyId, List<ExecutorSummary> executors, double metricSecs) {
    Map<ExecutorDetails, Deque<Beat>> known =
        beats.computeIfAbsent(topologyId, id -> new HashMap<>());
    Map<ExecutorDetails, Loads.Load> loads = new HashMap<>();
    double window = 0.0;
    for (ExecutorSummary summary : executors) {
      ExecutorDetails executor = StatsLoad.executor(summary);
      int uptime = summary.get_uptime_secs();
      double cores = StatsLoad.cores(summary, metricSecs);
      Loads.Rates rates = Loads.Rates.NONE;
      StatsLoad.Counts counts = StatsLoad.counts(summary);
      Deque<Beat> older = known.computeIfAbsent(executor, e -> new ArrayDeque<>());
      boolean spout = counts != null && counts.executed() == null;
      if (cores == 0.0 && wasBusyJustNow(older.peekLast(), summary)) {
        cores = Double.NaN;
      }
      if (counts != null && (spout || !Double.isNaN(cores))) {
        double span = Math.min(uptime, StatsLoad.WINDOW_SECS);
        double busyMs = spout ? 0.0 : StatsLoad.busyMsAllTime(summary);
        Beat now = new Beat(uptime, busyMs, counts, cores, summary.get_host(), summary.get_port());
        Beat then = baseline(older, now);
        if (then == null) {
          rates = rates(counts.executedInWindow(), counts.emittedInWindow(), span);
        } else {
          span = now.uptimeSecs() - then.uptimeSecs();
          cores = spout ? cores : (now.busyMs() - then.busyMs()) / (1000.0 * span);
          rates = difference(then.counts(), counts, span);
        }
        if (spout && counts.emitted() == 0 && uptime <= 2 * metricSecs) {
          rates = Loads.Rates.NONE;
        }
        window = spout ? window : Math.max(window, span);
      }
      loads.put(
          executor,
          new Loads.Load(
              cores,
              uptime > 0 ? uptime : Double.NaN,
              summary.get_host(),
              summary.get_port(),
              rates));
    }
    known.keySet().retainAll(loads.keySet());
    return new Reading(loads, window);
  }

  /**
   * Storm's window is ten minutes long, so it empties by and by: one that was busy less than half
   * of it ago and holds nothing now is not idle, its figures got lost.
   */
  private static boolean wasBusyJustNow(Beat last, ExecutorSummary now) {
    return last != null
        && last.windowCores() > BUSY
        && last.uptimeSecs() <= now.get_uptime_secs()
        && now.get_uptime_secs() - last.uptimeSecs() < StatsLoad.WINDOW_SECS / 2
        && last.port() == now.get_port()
        && last.host().equals(now.get_host());
  }

  private static Loads.Rates rates(Map<GlobalStreamId, Long> executed, long emitted, double secs) {
    return new Loads.Rates(
        executed == null
            ? null
            : executed.entrySet().stream()
                .collect(
                    Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, e -> Math.max(0, e.getValue()) / secs)),
        emitted / secs);
  }

  /** Rates from one beat to a later one of the same life. */
  private static Loads.Rates difference(StatsLoad.Counts then, StatsLoad.Counts now, double secs) {
    Map<GlobalStreamId, Long> executed = null;
    if (now.executed() != null && then.executed() != null) {
      executed = new HashMap<>();
      for (var input : now.executed().entrySet()) {
        long before = then.executed().getOrDefault(input.getKey(), 0L);
        executed.put(input.getKey(), input.getValue() - before);
      }
    }
    return rates(executed, Math.max(0, now.emitted() - then.emitted()), secs);
  }

  /** The newest older beat that is a whole span away, in the same life of the same worker. */
  private static Beat baseline(Deque<Beat> older, Beat now) {
    Beat last = older.peekLast();
    boolean sameLife =
        last == null
            || (last.uptimeSecs() <= now.uptimeSecs()
                && last.busyMs() <= now.busyMs() * (1 + 1e-9)
                && last.port() == now.port()
                && last.host().equals(now.host()));
    if (!sameLife) {
      older.clear();
    }
    if (last == null || !sameLife || last.uptimeSecs() < now.uptimeSecs()) {
      older.addLast(now);
    }
    Beat baseline = null;
    while (!older.isEmpty() && now.uptimeSecs() - older.peekFirst().uptimeSecs() >= SPAN_SECS) {
      baseline = older.pollFirst();
    }
    if (baseline != null) {
      older.addFirst(baseline);
    }
    return baseline;
  }

  /** Forgets topologies that are gone. */
  void retain(Collection<String> topologyIds) {
    beats.keySet().retainAll(topologyIds);
  }
}
