package io.ballast.storm;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.scheduler.ExecutorDetails;

/**
 * Follows drift faster than Storm's 600 s window: the difference of two all-time figures of the
 * same worker life is the load of the time between them. Counts are sampled ({@code
 * topology.stats.sample.rate} 0.05: steps of 20 tuples), so the span must not be short; below
 * {@link #SPAN_SECS}, and for a worker that restarted in between, Storm's own window is taken.
 *
 * <p>A span is counted in uptime, not by the clock: uptime and counts come in the same heartbeat,
 * so a beat that is late makes both late, and the rate stays right.
 */
final class StatsHistory {
  /** Shortest span a difference is taken over, seconds; a multiple of the default metric period. */
  static final double SPAN_SECS = 120.0;

  /** All-time figures of one heartbeat. */
  private record Beat(int uptimeSecs, double busyMs, String host, int port) {}

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
      if (!Double.isNaN(cores)) {
        double span = Math.min(uptime, StatsLoad.WINDOW_SECS);
        Deque<Beat> older = known.computeIfAbsent(executor, e -> new ArrayDeque<>());
        Beat now =
            new Beat(
                uptime, StatsLoad.busyMsAllTime(summary), summary.get_host(), summary.get_port());
        Beat then = baseline(older, now);
        if (then != null) {
          span = now.uptimeSecs() - then.uptimeSecs();
          cores = (now.busyMs() - then.busyMs()) / (1000.0 * span);
        }
        window = Math.max(window, span);
      }
      loads.put(
          executor,
          new Loads.Load(
              cores, uptime > 0 ? uptime : Double.NaN, summary.get_host(), summary.get_port()));
    }
    known.keySet().retainAll(loads.keySet());
    return new Reading(loads, window);
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
