package io.ballast.hook;

import java.lang.management.ThreadMXBean;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** One executor: its tasks, the CPU time of its thread, the wait in its queue. */
final class ExecutorMeter {
  private final int component;
  private final String componentName;
  private final List<TaskMeter> tasks = new CopyOnWriteArrayList<>();
  private final QueueWait queue;

  /** Known from the first tuple on; Storm starts the thread after the hooks are prepared. */
  private volatile Thread thread;

  private long cpuTold = -1;

  ExecutorMeter(int component, String componentName, QueueWait queue) {
    this.component = component;
    this.componentName = componentName;
    this.queue = queue;
  }

  void add(TaskMeter task) {
    tasks.add(task);
  }

  /** Tells the executor's own thread; the first one told counts. */
  void runsOn(Thread own) {
    if (thread == null) {
      thread = own;
    }
  }

  /** Nobody has told its thread yet: no tuple came or went. */
  boolean isAnonymous() {
    return thread == null;
  }

  int first() {
    return tasks.stream().mapToInt(TaskMeter::task).min().orElse(-1);
  }

  int last() {
    return tasks.stream().mapToInt(TaskMeter::task).max().orElse(-1);
  }

  /** How Storm ends the name of its thread. */
  String threadNameEnd() {
    return "-" + componentName + "-executor[" + first() + ", " + last() + "]";
  }

  /** Looks at the queue; several times an interval. */
  void look() {
    queue.look();
  }

  /** What was counted since the last call; null: a task of it broke off. */
  Interval.Executor roll(ThreadMXBean threads) {
    long cpu = cpuSince(threads);
    long wait = queue.roll();
    List<Interval.Task> rolled =
        tasks.stream()
            .sorted(Comparator.comparingInt(TaskMeter::task))
            .map(TaskMeter::roll)
            .toList();
    if (rolled.isEmpty() || rolled.stream().anyMatch(Objects::isNull)) {
      return null;
    }
    return new Interval.Executor(first(), last(), component, cpu, wait, rolled);
  }

  private long cpuSince(ThreadMXBean threads) {
    Thread own = thread;
    long now = own == null || threads == null ? -1 : threads.getThreadCpuTime(own.getId());
    long since = now < 0 || cpuTold < 0 ? -1 : now - cpuTold;
    cpuTold = now;
    return since;
  }
}
