package io.ballast.storm;

import io.ballast.storm.telemetry.ExecutorFigures;
import io.ballast.storm.telemetry.Measurements;
import io.ballast.storm.telemetry.Traffic;
import io.ballast.storm.telemetry.WorkerFigures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the telemetry hook measured, in terms of the executors there are now. Where it has measured
 * nothing, or not for a while, statistics stay what they are.
 */
final class HookLoads {
  private static final Logger LOG = LoggerFactory.getLogger(HookLoads.class);

  /** Pairs of one topology, the even shares of sums included; a request has to stay readable. */
  static final int PAIRS_MAX = 50_000;

  /** Seconds without a report after which a worker is not one that starts slowly. */
  private static final double GONE_SECS = 300.0;

  /** Nothing measured. */
  static final HookLoads NONE = new HookLoads(new Measurements(System::nanoTime, 0), 0);

  private final Measurements measured;
  private final double maxAgeSecs;

  /** Topologies of which was said what is left out; planning and placing may both ask. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  HookLoads(Measurements measured, double maxAgeSecs) {
    this.measured = measured;
    this.maxAgeSecs = maxAgeSecs;
  }

  /**
   * Traffic from one executor to another.
   *
   * @param bytesPerSec NaN: not measured
   */
  record Pair(ExecutorDetails from, ExecutorDetails to, double tuplesPerSec, double bytesPerSec) {}

  /**
   * An executor's load, the hook's where there is one: what is usual while its worker warms up, and
   * while that worker is so long in coming that nothing newer is known.
   *
   * @param told by statistics; null: nothing
   */
  Loads.Load join(String topologyId, ExecutorDetails executor, Loads.Load told) {
    Optional<ExecutorFigures> figures = figures(topologyId, executor, maxAgeSecs);
    if (figures.isPresent()) {
      Loads.Load load = load(figures.get(), told);
      return measured.warmingUp(load.uptimeSecs()) ? load.asUsual() : load;
    }
    boolean runs = told != null && !Double.isNaN(told.cores());
    if (runs && !measured.warmingUp(told.uptimeSecs())) {
      return told;
    }
    return figures(topologyId, executor, GONE_SECS)
        .map(last -> load(last, null).asUsual())
        .filter(load -> load.source().equals(Loads.Load.HISTORY))
        .map(load -> told == null ? load : load.in(told))
        .orElse(told);
  }

  private Optional<ExecutorFigures> figures(
      String topologyId, ExecutorDetails executor, double ageSecs) {
    return measured
        .executor(topologyId, executor.getStartTask(), executor.getEndTask(), ageSecs)
        .filter(figures -> !Double.isNaN(figures.cores()));
  }

  private static Loads.Load load(ExecutorFigures hook, Loads.Load told) {
    // A worker may name its host otherwise than its supervisor does, but not its port.
    String host = told != null && told.port() == hook.port() ? told.host() : hook.host();
    Loads.Rates rates =
        told == null || Double.isNaN(told.rates().emitted())
            ? new Loads.Rates(null, hook.emittedPerSec())
            : told.rates();
    return new Loads.Load(
        hook.cores(), hook.uptimeSecs(), host, hook.port(), rates, Loads.Load.HOOK, hook.usual());
  }

  /**
   * CPU of a worker's process.
   *
   * @param figures what was measured of it; its CPU was
   */
  record WorkerCpu(WorkerSlot slot, WorkerFigures figures) {
    double cores() {
      return figures.cores();
    }

    /** What of it no executor's thread used; NaN: not measured. */
    double overheadCores() {
      return figures.overheadCores();
    }

    /** Since the hook began in it, which is seconds after the process did. */
    double uptimeSecs() {
      return figures.uptimeSecs();
    }
  }

  /**
   * CPU of the workers of one topology, by their first task. A worker that reports other tasks than
   * its slot has now is another one, and left out; so is one whose process was not measured.
   *
   * @param placement the slot of every executor that has one
   */
  List<WorkerCpu> workers(String topologyId, Map<ExecutorDetails, WorkerSlot> placement) {
    Map<WorkerSlot, List<Integer>> tasks = new HashMap<>();
    Map<Integer, WorkerSlot> slots = new HashMap<>();
    placement.forEach(
        (executor, slot) -> {
          for (int task = executor.getStartTask(); task <= executor.getEndTask(); task++) {
            tasks.computeIfAbsent(slot, s -> new ArrayList<>()).add(task);
            slots.put(task, slot);
          }
        });
    tasks.values().forEach(Collections::sort);
    List<WorkerCpu> workers = new ArrayList<>();
    for (WorkerFigures worker : measured.workers(topologyId, maxAgeSecs)) {
      WorkerSlot slot = slots.get(worker.tasks().get(0));
      if (slot != null
          && slot.getPort() == worker.port()
          && tasks.get(slot).equals(worker.tasks())
          && !Double.isNaN(worker.cores())) {
        workers.add(new WorkerCpu(slot, worker));
      }
    }
    return workers;
  }

  /**
   * Traffic of one topology, by sender, then receiver. The wire takes pairs that are not listed for
   * silent, so a component is left out, and estimated, unless every executor of it was measured.
   * What a task sent beyond the pairs it told is dealt evenly over the other tasks of the
   * component, as long as that makes no more than {@value #PAIRS_MAX} pairs; the first time it is
   * left out, the log says so.
   *
   * @param executors all of the topology
   */
  List<Pair> traffic(TopologyDetails details, List<ExecutorDetails> executors) {
    Traffic traffic = measured.traffic(details.getId(), maxAgeSecs);
    if (traffic.pairs().isEmpty()) {
      return List.of();
    }
    TreeMap<Integer, ExecutorDetails> byTask = new TreeMap<>();
    executors.forEach(executor -> byTask.put(executor.getStartTask(), executor));
    Set<String> incomplete = new HashSet<>();
    Map<String, List<Integer>> tasks = new TreeMap<>();
    for (ExecutorDetails executor : executors) {
      String component = details.getComponentFromExecutor(executor);
      if (measured
          .executor(details.getId(), executor.getStartTask(), executor.getEndTask(), maxAgeSecs)
          .isEmpty()) {
        incomplete.add(component);
      }
      for (int task = executor.getStartTask(); task <= executor.getEndTask(); task++) {
        tasks.computeIfAbsent(component, c -> new ArrayList<>()).add(task);
      }
    }
    Sum sum = new Sum(byTask);
    Map<Integer, Set<Integer>> named = new TreeMap<>();
    for (Traffic.Pair pair : traffic.pairs()) {
      ExecutorDetails sender = sum.executor(pair.from());
      if (sender != null && !incomplete.contains(details.getComponentFromExecutor(sender))) {
        sum.add(pair.from(), pair.to(), pair.tuplesPerSec(), pair.bytesPerSec());
        named.computeIfAbsent(pair.from(), from -> new HashSet<>()).add(pair.to());
      }
    }
    double undealt = 0;
    int undealtSums = 0;
    for (Traffic.Rest rest : traffic.rest()) {
      ExecutorDetails sender = sum.executor(rest.from());
      if (sender == null || incomplete.contains(details.getComponentFromExecutor(sender))) {
        continue;
      }
      Set<Integer> told = named.getOrDefault(rest.from(), Set.of());
      List<Integer> others =
          tasks.getOrDefault(rest.component(), List.of()).stream()
              .filter(task -> !told.contains(task))
              .toList();
      if (undealtSums > 0 || sum.size() + others.size() > PAIRS_MAX) {
        undealt += rest.tuplesPerSec();
        undealtSums++;
        continue;
      }
      for (int other : others) {
        sum.add(
            rest.from(),
            other,
            rest.tuplesPerSec() / others.size(),
            rest.bytesPerSec() / others.size());
      }
    }
    tellUndealt(details, undealtSums, undealt);
    return sum.pairs();
  }

  private void tellUndealt(TopologyDetails details, int sums, double tuplesPerSec) {
    told.removeIf(id -> !measured.knows(id));
    if (sums > 0 && told.add(details.getId())) {
      LOG.warn(
          "Ballast: {} has more than {} pairs of executors that send to each other: {} sums of"
              + " tasks with too many receivers to count one by one, {} tuples/s in all, are left"
              + " out. Plans take them for silent: they balance as well, and keep less traffic"
              + " together than they could. Fewer executors would let them be seen",
          details.getName(),
          PAIRS_MAX,
          sums,
          Math.round(tuplesPerSec));
    }
  }

  /** Pairs of tasks summed up to pairs of executors. */
  private static final class Sum {
    private final TreeMap<Integer, ExecutorDetails> byTask;
    private final TreeMap<Long, double[]> sums = new TreeMap<>();

    private Sum(TreeMap<Integer, ExecutorDetails> byTask) {
      this.byTask = byTask;
    }

    /** The executor that runs a task; null: none does any more. */
    private ExecutorDetails executor(int task) {
      Map.Entry<Integer, ExecutorDetails> before = byTask.floorEntry(task);
      return before == null || before.getValue().getEndTask() < task ? null : before.getValue();
    }

    private void add(int from, int to, double tuples, double bytes) {
      ExecutorDetails sender = executor(from);
      ExecutorDetails receiver = executor(to);
      if (sender != null && receiver != null) {
        long key = (long) sender.getStartTask() << 32 | receiver.getStartTask();
        double[] sum = sums.computeIfAbsent(key, k -> new double[2]);
        sum[0] += tuples;
        sum[1] += bytes;
      }
    }

    private int size() {
      return sums.size();
    }

    private List<Pair> pairs() {
      List<Pair> pairs = new ArrayList<>();
      sums.forEach(
          (key, sum) ->
              pairs.add(
                  new Pair(
                      byTask.get((int) (key >> 32)),
                      byTask.get((int) (long) key),
                      sum[0],
                      sum[1])));
      return pairs;
    }
  }
}
