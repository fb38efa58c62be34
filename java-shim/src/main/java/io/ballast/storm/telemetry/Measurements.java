package io.ballast.storm.telemetry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * What the hook's reports say, merged: per topology the newest figures of every task, its traffic,
 * and its workers. Figures are kept by task, so they follow the tasks when executors are renumbered
 * (rebalance) or move. Any thread may ask at any time; what is older than the asker's limit is not
 * told, and what was not measured is absent or NaN, never zero.
 *
 * <p>Every report of a topology is signed with its secret, so a topology can at most misstate
 * itself. Bounded: tasks up to the topology's highest, {@link ReportReader#PAIRS_OF_TASK_MAX} pairs
 * each; tasks that nobody has told of for an hour are forgotten.
 */
public final class Measurements {
  private static final class Table {
    private final NavigableMap<Integer, TaskMemory> tasks = new TreeMap<>();
    private final Map<Integer, WorkerMemory> workers = new HashMap<>();
    private long prunedNanos;
  }

  private final Map<String, Table> topologies = new ConcurrentHashMap<>();
  private final LongSupplier nanos;
  private final double warmSecs;

  /**
   * @param nanos monotonic clock, nanoseconds
   * @param warmSecs uptime below which a worker warms up; 0: none does
   */
  public Measurements(LongSupplier nanos, double warmSecs) {
    this.nanos = nanos;
    this.warmSecs = warmSecs;
  }

  /** A worker of this uptime warms up. */
  public boolean warmingUp(double uptimeSecs) {
    return uptimeSecs < warmSecs;
  }

  /** Takes a report that came in at this time. */
  void add(String topology, Report report, long now) {
    Table table = topologies.computeIfAbsent(topology, id -> new Table());
    synchronized (table) {
      prune(table, now);
      boolean warm = !warmingUp(report.uptimeMillis() / 1000.0);
      List<Integer> tasks = new ArrayList<>();
      for (Report.Executor executor : report.executors()) {
        long work = executor.tasks().stream().mapToLong(Report.Task::work).sum();
        for (Report.Task task : executor.tasks()) {
          tasks.add(task.task());
          double share = work > 0 ? (double) task.work() / work : 1.0 / executor.tasks().size();
          double cpuSecs = executor.cpuNanos() < 0 ? Double.NaN : executor.cpuNanos() / 1e9 * share;
          table
              .tasks
              .computeIfAbsent(task.task(), id -> new TaskMemory())
              .add(report, executor, task, cpuSecs, warm, now);
        }
      }
      if (!tasks.isEmpty()) {
        worker(table, report, List.copyOf(tasks)).add(report, now);
      }
    }
  }

  /** At most once a minute: a report comes every few milliseconds where there are many workers. */
  private static void prune(Table table, long now) {
    if ((now - table.prunedNanos) / 1e9 >= 60.0) {
      table.prunedNanos = now;
      table
          .tasks
          .values()
          .removeIf(task -> (now - task.heardNanos) / 1e9 > TaskMemory.FORGOTTEN_SECS);
    }
  }

  private static WorkerMemory worker(Table table, Report report, List<Integer> tasks) {
    WorkerMemory known = table.workers.get(tasks.get(0));
    if (known != null && known.isOf(report, tasks)) {
      return known;
    }
    WorkerMemory worker = new WorkerMemory(report, tasks);
    for (int task : tasks) {
      WorkerMemory before = table.workers.put(task, worker);
      if (before != null && before != worker) {
        // A task is in one worker at a time: that one is no more, or no more what it was.
        table.workers.values().removeIf(other -> other == before);
      }
    }
    return worker;
  }

  /**
   * An executor, by its range of tasks.
   *
   * @param maxAgeSecs every task of it was told of at most this long ago; else it is empty
   */
  public Optional<ExecutorFigures> executor(
      String topology, int firstTask, int lastTask, double maxAgeSecs) {
    Table table = topologies.get(topology);
    if (table == null) {
      return Optional.empty();
    }
    synchronized (table) {
      long now = nanos.getAsLong();
      double cores = 0;
      double received = 0;
      double emitted = 0;
      double sent = 0;
      double wait = 0;
      double uptime = Double.POSITIVE_INFINITY;
      double age = 0;
      double covered = Double.POSITIVE_INFINITY;
      double usual = 0;
      double variance = 0;
      boolean known = true;
      boolean holds = warmSecs > 0;
      TaskMemory any = null;
      for (int id = firstTask; id <= lastTask; id++) {
        TaskMemory task = table.tasks.get(id);
        if (task == null || (now - task.heardNanos) / 1e9 > maxAgeSecs) {
          return Optional.empty();
        }
        any = task;
        cores += task.cpu.rate();
        received += task.received.rate();
        emitted += task.emitted.rate();
        sent += task.sent.rate();
        // Tasks of one executor share its queue; those of several have the longest wait.
        wait = Double.isNaN(task.waitMs) ? Double.NaN : Math.max(wait, task.waitMs);
        uptime = Math.min(uptime, task.uptimeSecs);
        age = Math.max(age, (now - task.heardNanos) / 1e9);
        covered = Math.min(covered, task.cpu.secs());
        usual += task.history.mean();
        variance += task.history.variance();
        known &= task.history.known();
        holds &= !task.history.strayed();
      }
      return any == null
          ? Optional.empty()
          : Optional.of(
              new ExecutorFigures(
                  cores,
                  received,
                  emitted,
                  sent,
                  wait,
                  uptime,
                  age,
                  covered,
                  known ? new Usual(usual, Math.sqrt(variance), holds) : null,
                  any.host,
                  any.port));
    }
  }

  /**
   * The topology's traffic.
   *
   * @param maxAgeSecs senders that were not heard of for longer are left out
   */
  public Traffic traffic(String topology, double maxAgeSecs) {
    List<Traffic.Pair> pairs = new ArrayList<>();
    List<Traffic.Rest> rest = new ArrayList<>();
    Table table = topologies.get(topology);
    if (table == null) {
      return new Traffic(pairs, rest);
    }
    synchronized (table) {
      long now = nanos.getAsLong();
      table.tasks.forEach(
          (id, task) -> {
            if ((now - task.heardNanos) / 1e9 > maxAgeSecs || task.trafficSecs == 0) {
              return;
            }
            double secs = task.trafficSecs;
            for (int i = 0; i < task.targets.length; i++) {
              double bytes = task.sized ? task.bytes[i] / secs : Double.NaN;
              pairs.add(new Traffic.Pair(id, task.targets[i], task.tuples[i] / secs, bytes));
            }
            task.rest.forEach(
                (component, sum) ->
                    rest.add(
                        new Traffic.Rest(
                            id,
                            component,
                            sum[0] / secs,
                            task.sized ? sum[1] / secs : Double.NaN)));
          });
    }
    return new Traffic(List.copyOf(pairs), List.copyOf(rest));
  }

  /**
   * The topology's workers, by their first task.
   *
   * @param maxAgeSecs workers that were not heard of for longer are left out
   */
  public List<WorkerFigures> workers(String topology, double maxAgeSecs) {
    Table table = topologies.get(topology);
    if (table == null) {
      return List.of();
    }
    synchronized (table) {
      long now = nanos.getAsLong();
      Set<WorkerMemory> workers = new LinkedHashSet<>(new TreeMap<>(table.workers).values());
      return workers.stream()
          .map(worker -> worker.figures(now))
          .filter(figures -> figures.ageSecs() <= maxAgeSecs)
          .toList();
    }
  }

  /** Something was told of this topology, which is not gone. */
  public boolean knows(String topology) {
    return topologies.containsKey(topology);
  }

  /** Forgets topologies that are gone. */
  void retain(Set<String> alive) {
    topologies.keySet().retainAll(alive);
  }
}
