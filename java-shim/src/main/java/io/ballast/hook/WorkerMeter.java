package io.ballast.hook;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Utils;

/**
 * All that is counted in one worker. It begins with the worker's first task and ends with its last;
 * several workers may live in one process (LocalCluster), each has its own.
 *
 * <p>Memory is bounded by {@link #PAIRS} counted pairs a worker, however many tasks it has and
 * however many targets they send to.
 */
final class WorkerMeter {
  /** Counted pairs of all its tasks together. */
  static final int PAIRS = 65_536;

  private static final int PAIRS_OF_TASK_MIN = 16;
  private static final int PAIRS_OF_TASK_MAX = 1024;
  private static final String EXECUTOR_DATA = "io.ballast.hook.executor";

  /** Workers by what is Storm's own of each and of no other. */
  private static final Map<Object, WorkerMeter> WORKERS = new HashMap<>();

  private final Object key;
  private final ExecutorService shared;
  private final Map<String, Object> conf;
  private final ComponentIndex components;
  private final int pairsOfTask;
  private final TupleSizer sizer;
  private final Faults faults = new Faults();
  private final List<ExecutorMeter> executors = new CopyOnWriteArrayList<>();
  private final WorkerCpu worker;
  private final long began = System.nanoTime();
  private ThreadMXBean threads;
  private NodeCpu node;
  private long rolled = began;
  private int tasks;
  private Reporter reporter;

  private WorkerMeter(Object key, Map<String, Object> conf, TopologyContext context) {
    this.key = key;
    this.shared = context.getSharedExecutor();
    this.conf = conf;
    components = new ComponentIndex(context.getTaskToComponent());
    pairsOfTask =
        Math.min(
            PAIRS_OF_TASK_MAX,
            Math.max(PAIRS_OF_TASK_MIN, PAIRS / Math.max(1, context.getThisWorkerTasks().size())));
    worker = new WorkerCpu(!ConfigUtils.isLocalMode(conf));
    try {
      ThreadMXBean bean = ManagementFactory.getThreadMXBean();
      threads = bean.isThreadCpuTimeSupported() && bean.isThreadCpuTimeEnabled() ? bean : null;
    } catch (Throwable failed) {
      faults.add(Part.CPU, failed);
    }
    sizer = new TupleSizer(conf, threads);
    try {
      // <local dir>/workers/<worker id>/pids
      String pids = context.getPIDDir();
      File folder = pids == null ? null : new File(pids).getParentFile();
      node = NodeCpu.find(folder == null ? "" : folder.getName());
    } catch (Throwable failed) {
      faults.add(Part.NODE, failed);
    }
  }

  /** The worker this task belongs to; its first task sets it up. */
  static WorkerMeter join(Map<String, Object> conf, TopologyContext context) {
    // One pool a worker, whatever else it shares: topology and port come back after a restart.
    ExecutorService shared = context.getSharedExecutor();
    Object key = shared != null ? shared : context.getStormId() + ":" + context.getThisWorkerPort();
    synchronized (WORKERS) {
      WorkerMeter meter = WORKERS.get(key);
      if (meter == null) {
        meter = new WorkerMeter(key, conf, context);
        meter.reporter =
            Reporter.started(
                meter,
                Uplink.of(conf, context.getStormId()),
                "ballast-telemetry-" + context.getStormId() + "-" + context.getThisWorkerPort(),
                meter.host(),
                context.getThisWorkerPort());
        WORKERS.put(key, meter);
      }
      meter.tasks++;
      return meter;
    }
  }

  /** One task ended; with the last one all of this ends. */
  void leave() {
    synchronized (WORKERS) {
      if (--tasks == 0) {
        end();
      }
    }
  }

  /** Ends even if some task never said that it did. */
  void end() {
    synchronized (WORKERS) {
      WORKERS.remove(key, this);
    }
    reporter.close();
  }

  /** Storm has closed the worker. */
  boolean isOver() {
    return shared != null && shared.isShutdown();
  }

  /** Workers that are being counted in this process. */
  static int count() {
    synchronized (WORKERS) {
      return WORKERS.size();
    }
  }

  /** What counts this task; null: it is Storm's own task of the worker and part of its overhead. */
  TaskMeter meter(TopologyContext context) {
    int task = context.getThisTaskId();
    String component = context.getThisComponentId();
    if (task < 0) {
      return null;
    }
    ExecutorMeter executor = (ExecutorMeter) context.getExecutorData(EXECUTOR_DATA);
    if (executor == null) {
      executor = new ExecutorMeter(components.of(task), component, QueueWait.of(context, faults));
      context.setExecutorData(EXECUTOR_DATA, executor);
      executors.add(executor);
    }
    boolean spout = context.getRawTopology().get_spouts().containsKey(component);
    TaskMeter meter =
        new TaskMeter(
            task,
            spout,
            executor,
            new StreamSizes(sizer, faults, task),
            new PairCounter(pairsOfTask, components));
    executor.add(meter);
    return meter;
  }

  Faults faults() {
    return faults;
  }

  /** Names of the components by number. */
  List<String> components() {
    return components.names();
  }

  /** Looks at what tells only a moment; several times an interval. */
  void look() {
    try {
      executors.forEach(ExecutorMeter::look);
    } catch (Throwable failed) {
      faults.add(Part.QUEUES, failed);
    }
  }

  /** What was counted since the last call; for the reporter's thread. */
  Interval roll() {
    long now = System.nanoTime();
    long nanos = now - rolled;
    rolled = now;
    nameThreads();
    List<Interval.Executor> measured = new ArrayList<>();
    for (ExecutorMeter executor : executors) {
      Interval.Executor one = executor.roll(threads);
      if (one != null) {
        measured.add(one);
      }
    }
    // Storm makes executors in the order of a hash set; reports are sorted.
    measured.sort(Comparator.comparingInt(Interval.Executor::first));
    return new Interval(
        nanos,
        (now - began) / 1_000_000,
        worker.rollCpu(),
        worker.rollGc(),
        sizer.rollNanos(),
        node(),
        measured,
        faults.counts());
  }

  private Interval.Node node() {
    try {
      return node == null ? Interval.Node.UNKNOWN : node.roll();
    } catch (Throwable failed) {
      node = null;
      faults.add(Part.NODE, failed);
      return Interval.Node.UNKNOWN;
    }
  }

  /**
   * Finds the threads of executors that have had no tuple so far by their names: a spout that finds
   * nothing to emit may still be busy looking. A name that two threads have (two topologies of a
   * LocalCluster) tells nothing.
   */
  private void nameThreads() {
    List<ExecutorMeter> anonymous = executors.stream().filter(ExecutorMeter::isAnonymous).toList();
    if (anonymous.isEmpty()) {
      return;
    }
    Map<String, Thread> byName = new HashMap<>();
    Thread[] all = new Thread[Thread.activeCount() * 2 + 64];
    int found = Thread.enumerate(all);
    for (int i = 0; i < found; i++) {
      String name = all[i].getName();
      for (ExecutorMeter executor : anonymous) {
        if (name.endsWith(executor.threadNameEnd())) {
          Thread twin = byName.put(executor.threadNameEnd(), all[i]);
          if (twin != null && twin != all[i]) {
            byName.put(executor.threadNameEnd(), Thread.currentThread());
          }
        }
      }
    }
    for (ExecutorMeter executor : anonymous) {
      Thread own = byName.get(executor.threadNameEnd());
      if (own != null && own != Thread.currentThread()) {
        executor.runsOn(own);
      }
    }
  }

  /** Where the worker runs, as Storm names it. */
  private String host() {
    try {
      Object named = conf.get(Config.STORM_LOCAL_HOSTNAME);
      return named != null ? named.toString() : Utils.hostname();
    } catch (Exception unknown) {
      return "";
    }
  }
}
