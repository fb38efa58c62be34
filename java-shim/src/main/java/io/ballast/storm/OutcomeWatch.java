package io.ballast.storm;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Follows the plan that was applied last until its outcome can be measured. A plan that another one
 * overtakes, or one of whose topologies goes or is changed by somebody else, has no outcome:
 * nothing measured afterwards would be its doing.
 *
 * <p>A worker's start is told by the uptime of its executors, which is some seconds old whenever it
 * is read; so of all readings the one with the earliest start counts.
 */
final class OutcomeWatch {
  /** Outcomes that the learned pause is the mean of. */
  private static final int REMEMBERED = 20;

  private static final Comparator<WorkerSlot> BY_NAME =
      Comparator.comparing(WorkerSlot::getNodeId).thenComparing(WorkerSlot::getPort);

  private final Ticker ticker;
  private final Deque<Double> pauses = new ArrayDeque<>();
  private Watched watched;

  OutcomeWatch(Ticker ticker) {
    this.ticker = ticker;
  }

  /** The plan under watch. */
  private record Watched(
      Plan plan,
      long generation,
      List<Worker> restarted,
      long nanos,
      Instant at,
      Map<WorkerSlot, Double> pauses) {}

  /** A plan was applied just now, in the round of this generation. */
  synchronized void applied(Plan plan, long generation) {
    watched =
        new Watched(
            plan,
            generation,
            restarted(plan),
            ticker.nanos(),
            ticker.now(),
            new TreeMap<>(BY_NAME));
  }

  /** A worker whose process is a new one after the plan. */
  private record Worker(String topology, WorkerSlot slot, Set<ExecutorDetails> executors) {}

  private static List<Worker> restarted(Plan plan) {
    Target before = Target.of(plan.basis());
    List<Worker> restarted = new ArrayList<>();
    plan.reply()
        .target()
        .topologies()
        .forEach(
            (id, workers) -> {
              Map<WorkerSlot, Set<ExecutorDetails>> were =
                  before.topologies().getOrDefault(id, Map.of());
              workers.forEach(
                  (slot, executors) -> {
                    if (!executors.equals(were.get(slot))) {
                      restarted.add(new Worker(id, slot, executors));
                    }
                  });
            });
    return restarted;
  }

  /**
   * A planning round that may show the outcome.
   *
   * @param reply to the request of this snapshot and these loads
   * @param youngSecs uptime below which a load does not count
   * @return once for a plan, as soon as its workers' loads count and none is of before the plan
   */
  synchronized Optional<Outcome> look(
      ClusterSnapshot snapshot, Loads loads, Reply reply, double youngSecs) {
    if (watched == null || snapshot.generation() <= watched.generation) {
      return Optional.empty();
    }
    if (!stands(snapshot)) {
      watched = null;
      return Optional.empty();
    }
    boolean settled = true;
    for (Worker worker : watched.restarted) {
      double uptime = uptimeSecs(loads, worker);
      double pause = ticker.secondsSince(watched.nanos) - uptime;
      // Longer up than the plan is old: still a figure of the process before it.
      if (pause < 0 || !(uptime >= youngSecs) || usual(loads, worker)) {
        settled = false;
      }
      if (pause >= 0) {
        watched.pauses.merge(worker.slot(), pause, Math::min);
      }
    }
    if (!settled || !reply.coverageSufficient() || Double.isNaN(reply.distanceBefore())) {
      return Optional.empty();
    }
    Outcome outcome =
        new Outcome(
            watched.plan.reply().id(),
            snapshot.generation(),
            watched.at,
            watched.at.plus(Duration.ofNanos(ticker.nanos() - watched.nanos)),
            watched.plan.reply().distanceAfter(),
            reply.distanceBefore(),
            watched.pauses,
            watched.plan.reply().restarts());
    watched = null;
    outcome.pauseSecs().ifPresent(this::learn);
    return Optional.of(outcome);
  }

  /** What the plan wrote is what runs, topology by topology. */
  private boolean stands(ClusterSnapshot snapshot) {
    Target wanted = watched.plan.reply().target();
    Map<String, Map<ExecutorDetails, WorkerSlot>> placements = new HashMap<>();
    for (ClusterSnapshot.Topology topology : snapshot.topologies()) {
      if (wanted.topologies().containsKey(topology.id())) {
        placements.put(topology.id(), topology.placement());
      }
    }
    return Target.of(placements).equals(wanted);
  }

  /** Of its youngest executor; NaN: not all are known to run there. */
  private static double uptimeSecs(Loads loads, Worker worker) {
    double youngest = Double.POSITIVE_INFINITY;
    for (ExecutorDetails executor : worker.executors()) {
      Loads.Load load = loads.of(worker.topology(), executor);
      if (load == null || (load.host() != null && load.port() != worker.slot().getPort())) {
        return Double.NaN;
      }
      // NaN stays NaN.
      youngest = Math.min(youngest, load.uptimeSecs());
    }
    return youngest;
  }

  /** The load of some executor is still what it was before: that would prove any plan right. */
  private static boolean usual(Loads loads, Worker worker) {
    return worker.executors().stream()
        .map(executor -> loads.of(worker.topology(), executor))
        .anyMatch(load -> load != null && load.source().equals(Loads.Load.HISTORY));
  }

  private void learn(double pauseSecs) {
    pauses.addLast(pauseSecs);
    if (pauses.size() > REMEMBERED) {
      pauses.removeFirst();
    }
  }

  /** Mean pause of a restarted worker over the last outcomes, seconds; empty before the first. */
  synchronized OptionalDouble pauseSecs() {
    return pauses.stream().mapToDouble(secs -> secs).average();
  }
}
