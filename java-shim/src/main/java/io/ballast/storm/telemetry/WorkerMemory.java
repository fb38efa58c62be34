package io.ballast.storm.telemetry;

import java.util.List;

/** What the last reports say of one worker. */
final class WorkerMemory {
  final List<Integer> tasks;
  private final String host;
  private final int port;
  private final Decayed cpu = new Decayed();
  private final Decayed overhead = new Decayed();
  private final Decayed gc = new Decayed();
  private final Decayed serialization = new Decayed();
  private WorkerFigures.Node node;
  private double uptimeSecs;
  private long heardNanos;

  WorkerMemory(Report report, List<Integer> tasks) {
    this.tasks = tasks;
    host = report.host();
    port = report.port();
    uptimeSecs = report.uptimeMillis() / 1000.0;
  }

  /** The report comes from the same worker, in the same life of it. */
  boolean isOf(Report report, List<Integer> itsTasks) {
    return port == report.port()
        && host.equals(report.host())
        && tasks.equals(itsTasks)
        && report.uptimeMillis() / 1000.0 >= uptimeSecs;
  }

  void add(Report report, long now) {
    double secs = report.nanos() / 1e9;
    if (report.cpuNanos() >= 0) {
      cpu.add(report.cpuNanos() / 1e9, secs, now);
      boolean all = report.executors().stream().allMatch(executor -> executor.cpuNanos() >= 0);
      if (all && !report.executors().isEmpty()) {
        long used = report.executors().stream().mapToLong(Report.Executor::cpuNanos).sum();
        overhead.add(Math.max(0, report.cpuNanos() - used) / 1e9, secs, now);
      }
    }
    if (report.gcMillis() >= 0) {
      gc.add(report.gcMillis() / 1e3, secs, now);
    }
    if (report.serializationNanos() >= 0) {
      serialization.add(report.serializationNanos() / 1e3 * secs, secs, now);
    }
    Report.Node read = report.node();
    node =
        read.kind() == 0
            ? null
            : new WorkerFigures.Node(read.kind() == 2, read.cpuNanos() / 1e9 / secs, read.cores());
    uptimeSecs = report.uptimeMillis() / 1000.0;
    heardNanos = now;
  }

  WorkerFigures figures(long now) {
    return new WorkerFigures(
        host,
        port,
        tasks,
        cpu.rate(),
        overhead.rate(),
        gc.rate(),
        serialization.rate(),
        node,
        uptimeSecs,
        (now - heardNanos) / 1e9);
  }
}
