package io.ballast.storm.telemetry;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the last reports say of one task; the task keeps it when it moves to another worker. */
final class TaskMemory {
  /** A pair that got less than this many tuples, weighted, is forgotten. */
  private static final double FORGOTTEN = 0.01;

  /** Age at which what a task used is forgotten, seconds. */
  static final double FORGOTTEN_SECS = 3600.0;

  final TaskHistory history = new TaskHistory();
  final Decayed cpu = new Decayed();
  final Decayed received = new Decayed();
  final Decayed emitted = new Decayed();
  final Decayed sent = new Decayed();
  final Map<String, double[]> rest = new TreeMap<>();
  int[] targets = {};
  double[] tuples = {};
  double[] bytes = {};
  double trafficSecs;
  boolean sized;
  double waitMs = Double.NaN;
  double uptimeSecs;
  String host;
  int port;
  long heardNanos;

  /**
   * Takes what a report says of the task.
   *
   * @param cpuSecs CPU time of the task in the interval, seconds; NaN: not measured
   * @param warm its worker has lived long enough for that to be usual
   */
  void add(
      Report report,
      Report.Executor executor,
      Report.Task task,
      double cpuSecs,
      boolean warm,
      long now) {
    double secs = report.nanos() / 1e9;
    double weight = trafficSecs == 0 ? 0 : Decayed.weight(now - heardNanos);
    if (!Double.isNaN(cpuSecs)) {
      cpu.add(cpuSecs, secs, now);
      if (warm) {
        history.add(cpuSecs / secs, cpu.rate(), task.work() / secs, secs, now);
      } else {
        history.compare(cpu.rate(), task.work() / secs, secs);
      }
    }
    received.add(task.received(), secs, now);
    emitted.add(task.emitted(), secs, now);
    sent.add(task.sent(), secs, now);
    traffic(task.pairs(), weight);
    trafficSecs = trafficSecs * weight + secs;
    // Sizes known for a part of the time only would be too small.
    sized = task.sized();
    rest.values().forEach(sum -> scale(sum, weight));
    for (Report.Rest more : task.rest()) {
      double[] sum =
          rest.computeIfAbsent(report.components().get(more.component()), c -> new double[2]);
      sum[0] += more.tuples();
      sum[1] += more.bytes();
    }
    rest.values().removeIf(sum -> sum[0] < FORGOTTEN);
    waitMs = executor.waitMicros() < 0 ? Double.NaN : executor.waitMicros() / 1000.0;
    uptimeSecs = report.uptimeMillis() / 1000.0;
    host = report.host();
    port = report.port();
    heardNanos = now;
  }

  private static void scale(double[] values, double factor) {
    for (int i = 0; i < values.length; i++) {
      values[i] *= factor;
    }
  }

  /** Adds the pairs of one report to the weighted sums; both are sorted by target. */
  private void traffic(List<Report.Pair> more, double weight) {
    int most = targets.length + more.size();
    int[] merged = new int[most];
    double[] mergedTuples = new double[most];
    double[] mergedBytes = new double[most];
    int n = 0;
    int old = 0;
    int next = 0;
    while (old < targets.length || next < more.size()) {
      int target =
          Math.min(
              old < targets.length ? targets[old] : Integer.MAX_VALUE,
              next < more.size() ? more.get(next).target() : Integer.MAX_VALUE);
      double tuplesNow = 0;
      double bytesNow = 0;
      if (old < targets.length && targets[old] == target) {
        tuplesNow = tuples[old] * weight;
        bytesNow = bytes[old] * weight;
        old++;
      }
      if (next < more.size() && more.get(next).target() == target) {
        tuplesNow += more.get(next).tuples();
        bytesNow += more.get(next).bytes();
        next++;
      }
      if (tuplesNow >= FORGOTTEN) {
        merged[n] = target;
        mergedTuples[n] = tuplesNow;
        mergedBytes[n] = bytesNow;
        n++;
      }
    }
    targets = Arrays.copyOf(merged, n);
    tuples = Arrays.copyOf(mergedTuples, n);
    bytes = Arrays.copyOf(mergedBytes, n);
    lightest();
  }

  /** Keeps no more pairs than one report may have: the heaviest. */
  private void lightest() {
    int most = ReportReader.PAIRS_OF_TASK_MAX;
    if (targets.length <= most) {
      return;
    }
    double[] sorted = tuples.clone();
    Arrays.sort(sorted);
    double least = sorted[sorted.length - most];
    int n = 0;
    for (int i = 0; i < targets.length && n < most; i++) {
      if (tuples[i] >= least) {
        targets[n] = targets[i];
        tuples[n] = tuples[i];
        bytes[n] = bytes[i];
        n++;
      }
    }
    targets = Arrays.copyOf(targets, n);
    tuples = Arrays.copyOf(tuples, n);
    bytes = Arrays.copyOf(bytes, n);
  }
}
