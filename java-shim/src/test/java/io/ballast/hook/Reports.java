package io.ballast.hook;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The hook's own writer and sender, for tests of the other end. */
public final class Reports {
  /** CPU that serializing a tuple takes, in every report. */
  public static final long SERIALIZATION_NANOS = 2_500;

  private Reports() {}

  /**
   * A report of a worker whose executors have one task each.
   *
   * @param firstTask its tasks are this one and the next ones
   * @param cpuMillis CPU time of each executor in an interval of ten seconds
   * @param target every task sends 1,000 tuples of 50 bytes there
   */
  public static byte[] report(
      String host, int port, int firstTask, int executors, long cpuMillis, int target) {
    List<Interval.Executor> all = new ArrayList<>();
    for (int task = firstTask; task < firstTask + executors; task++) {
      all.add(
          executor(
              task,
              task,
              cpuMillis,
              List.of(task(task, 1000, List.of(new PairCounter.Pair(target, 1000, 800_000))))));
    }
    return ReportWriter.write(
        interval(10_000, 60_000, executors * cpuMillis + 500, all),
        host,
        port,
        List.of("__acker", "work"));
  }

  /**
   * A report of a worker of one executor of one task, over ten seconds.
   *
   * @param target where it sends
   * @param overheadCores CPU of the process beside its executor, which uses half a core
   */
  public static byte[] sending(
      String host, int port, int task, int target, double tuplesPerSec, double overheadCores) {
    long tuples = Math.round(tuplesPerSec * 10);
    List<PairCounter.Pair> pairs =
        tuples == 0 ? List.of() : List.of(new PairCounter.Pair(target, tuples, tuples * 800));
    long cpuMillis = 5_000;
    return ReportWriter.write(
        interval(
            10_000,
            60_000,
            cpuMillis + Math.round(overheadCores * 10_000),
            List.of(executor(task, task, cpuMillis, List.of(task(task, tuples, pairs))))),
        host,
        port,
        List.of("__acker", "work"));
  }

  /** One executor of several tasks that have done different amounts of work. */
  public static byte[] shared(int firstTask, long cpuMillis, long... received) {
    List<Interval.Task> tasks = new ArrayList<>();
    for (int i = 0; i < received.length; i++) {
      tasks.add(
          new Interval.Task(
              firstTask + i,
              received[i],
              0,
              0,
              false,
              new PairCounter.Rolled(List.of(), List.of(new PairCounter.Rest(0, 5, 0)))));
    }
    List<Interval.Executor> executors =
        List.of(executor(firstTask, firstTask + received.length - 1, cpuMillis, tasks));
    return ReportWriter.write(
        interval(10_000, 60_000, -1, executors), "n1", 6700, List.of("__acker", "work"));
  }

  /**
   * A report of ten seconds of a worker with one executor of one task.
   *
   * @param received tuples
   * @param uptimeSecs since its hook began
   */
  public static byte[] aged(
      String host, int port, int task, long cpuMillis, long received, double uptimeSecs) {
    Interval.Task only =
        new Interval.Task(task, received, 0, 0, true, new PairCounter.Rolled(List.of(), List.of()));
    List<Interval.Executor> all = List.of(executor(task, task, cpuMillis, List.of(only)));
    return ReportWriter.write(
        interval(10_000, Math.round(uptimeSecs * 1000), cpuMillis + 500, all),
        host,
        port,
        List.of("__acker", "work"));
  }

  private static Interval interval(
      long millis, long uptimeMillis, long cpuMillis, List<Interval.Executor> executors) {
    return new Interval(
        millis * 1_000_000,
        uptimeMillis,
        cpuMillis < 0 ? -1 : cpuMillis * 1_000_000,
        cpuMillis < 0 ? -1 : 20,
        SERIALIZATION_NANOS,
        new Interval.Node(NodeCpu.Kind.CGROUP, 3_000_000_000L, 0.35),
        executors,
        new long[Part.values().length]);
  }

  private static Interval.Executor executor(
      int first, int last, long cpuMillis, List<Interval.Task> tasks) {
    return new Interval.Executor(first, last, 1, cpuMillis * 1_000_000, 2500, tasks);
  }

  private static Interval.Task task(int task, long received, List<PairCounter.Pair> pairs) {
    return new Interval.Task(
        task, received, 10, 1000, true, new PairCounter.Rolled(pairs, List.of()));
  }

  /** Packed as it is sent. */
  public static byte[] packed(byte[] report) throws Exception {
    return Uplink.gzip(report);
  }

  public static byte[] signature(
      byte[] secret, String topology, String ticket, long sequence, byte[] body) throws Exception {
    return Uplink.signature(secret, topology, ticket, sequence, body);
  }

  /** One worker that sends over real HTTP to a Nimbus on this machine. */
  public static final class Worker {
    private final Uplink uplink;

    /**
     * @param grant what Nimbus laid down; read again whenever the hook would
     */
    public Worker(String topology, java.util.function.Supplier<byte[]> grant, LongSupplier nanos) {
      uplink =
          new Uplink(
              topology,
              new Nimbuses() {
                @Override
                public Grant grant() {
                  byte[] data = grant.get();
                  return data == null ? null : Grant.read(data);
                }

                @Override
                public String leader() {
                  return "localhost";
                }
              },
              Post.HTTP,
              nanos,
              () -> 0.5);
    }

    /** The name of what became of it. */
    public String send(byte[] report) {
      return uplink.send(report).name();
    }
  }
}
