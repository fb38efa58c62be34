package io.ballast.storm;

import com.codahale.metrics.Timer;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.Topologies;

/**
 * What Ballast does in one scheduling round, under Nimbus's lock: apply the plan that waits, give
 * homeless executors a slot, show the result to the planner. Whatever it changes it changes through
 * {@link PlanApplier}, all or nothing; so at any point the delegate can take over.
 */
final class Round {
  /** Planning that takes longer is told; it holds no lock, but there are no new plans either. */
  private static final double PLANNING_SECS_MAX = 300.0;

  private final NativeGate gate;
  private final RoundMemory memory;
  private final Planner planner;
  private final PlanApplier applier;
  private final Journal journal;
  private final BallastMetrics metrics;
  private volatile BallastConf conf;

  /** The cluster as it is now, while nothing was changed since it was copied; else null. */
  private ClusterSnapshot now;

  Round(
      NativeGate gate,
      RoundMemory memory,
      Planner planner,
      PlanApplier applier,
      Journal journal,
      BallastMetrics metrics) {
    this.gate = gate;
    this.memory = memory;
    this.planner = planner;
    this.applier = applier;
    this.journal = journal;
    this.metrics = metrics;
  }

  void configure(BallastConf judged) {
    conf = judged;
  }

  /**
   * Ballast's own part.
   *
   * @return ids of the topologies Ballast takes care of; the delegate serves the others
   */
  Set<String> serve(Topologies topologies, Cluster cluster) {
    Timer.Context timed = metrics.round();
    boolean fallback = true;
    now = null;
    try {
      memory.beginRound(topologies, cluster);
      if (!gate.ready()) {
        planner.take();
        return Set.of();
      }
      Set<String> served = serveWithEngine(topologies, cluster);
      fallback = false;
      return served;
    } finally {
      timed.stop();
      if (fallback) {
        metrics.fallback();
      }
    }
  }

  private Set<String> serveWithEngine(Topologies topologies, Cluster cluster) {
    applyWaitingPlan(topologies, cluster);
    if (!conf.placesNatively()) {
      return Set.of();
    }
    ClusterSnapshot before = memory.snapshot(topologies, cluster);
    if (before.topologies().stream().anyMatch(t -> t.enabled() && t.hasHomeless())) {
      place(before, cluster);
    } else {
      now = before;
    }
    return before.topologies().stream()
        .filter(this::caresFor)
        .map(ClusterSnapshot.Topology::id)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * In mode advise Ballast opens no worker that is merely missing (its plans do that), so a
   * topology which has all its executors placed but too few workers stays Storm's own business
   * there.
   */
  private boolean caresFor(ClusterSnapshot.Topology topology) {
    return topology.enabled() && (conf.applies() || topology.hasHomeless());
  }

  private void applyWaitingPlan(Topologies topologies, Cluster cluster) {
    Plan plan = planner.take();
    if (plan == null) {
      return;
    }
    Reply reply = plan.reply();
    Optional<String> refused = applier.apply(plan, cluster);
    if (refused.isPresent()) {
      metrics.refused();
      journal.warn("plan " + reply.id() + " was not applied: " + refused.get());
      return;
    }
    metrics.applied(reply);
    planner.applied(plan, memory.generation());
    memory.advice().applied(reply.target().topologies().keySet());
    journal.tell(reply.id(), "applied " + Sentences.plan(reply));
    for (String id : reply.target().topologies().keySet()) {
      journal.status(
          cluster,
          id,
          reply.id(),
          "Ballast applied " + Sentences.moves(reply, id) + ", " + reply.id());
    }
  }

  private void place(ClusterSnapshot before, Cluster cluster) {
    Reply reply =
        gate.ask(
            planner.placement(before),
            before.generation(),
            (long) conf.number(BallastConf.Setting.NATIVE_TIMEOUT_MS),
            answer -> PlanApplier.objection(answer.target(), cluster));
    if (reply.refusal() != null) {
      throw new Refused("placement refused: " + reply.refusal());
    }
    applier.place(reply.target(), cluster);
    metrics.placed();
    if (!reply.target().isEmpty()) {
      planner.outdate(before.generation());
      journal.tell(reply.id(), "placed " + Sentences.plan(reply));
    }
    reply.notes().stream()
        .filter(note -> note.code().equals("no-slot"))
        .forEach(note -> journal.tell(note.code(), note.toString()));
    reply.notes().stream()
        .filter(note -> note.code().equals("last-home-taken"))
        .forEach(note -> journal.warn(note.toString()));
  }

  /**
   * The end of a round: the planner sees what came of it, the operator what is advised.
   *
   * @param delegated the delegate may have changed something
   */
  void show(Topologies topologies, Cluster cluster, boolean delegated) {
    ClusterSnapshot after = now == null || delegated ? memory.snapshot(topologies, cluster) : now;
    planner.offer(after);
    journal.retain(topologies.getAllIds());
    for (ClusterSnapshot.Topology topology : after.topologies()) {
      TopologyFacts.complaint(topology.details()).ifPresent(journal::warn);
    }
    double planning = planner.planningSecs();
    if (planning > PLANNING_SECS_MAX) {
      journal.tell(
          "hang", String.format(Locale.ROOT, "planning has taken %.0f s so far", planning));
    }
    Reply reply = planner.latest();
    if (reply != null) {
      tell(reply, after, cluster);
    } else {
      after.topologies().stream()
          .filter(ClusterSnapshot.Topology::enabled)
          .filter(topology -> !Lack.of(topology).isEmpty())
          .forEach(topology -> status(topology, cluster, "", "Ballast has not planned yet"));
    }
    journal.endRound();
  }

  private void tell(Reply reply, ClusterSnapshot after, Cluster cluster) {
    boolean advises = !conf.applies() && !reply.target().isEmpty();
    String why = Sentences.reason(reply);
    if (reply.refusal() != null) {
      journal.warn("no plan: the engine refused, " + reply.refusal());
    } else if (advises) {
      // Loads differ a little every time, and plan ids with them: the same moves are no news.
      journal.tell("advises " + reply.target().hashCode(), "advises " + Sentences.plan(reply));
    } else if (reply.target().isEmpty()) {
      journal.tell(Sentences.codes(reply), "no move: " + why);
    }
    if (reply.scaling() != null) {
      tellScaling(reply.scaling());
    }
    for (ClusterSnapshot.Topology topology : after.topologies()) {
      if (!topology.enabled()) {
        continue;
      }
      if (advises && reply.target().topologies().containsKey(topology.id())) {
        String text =
            "Ballast advises " + Sentences.moves(reply, topology.id()) + ", " + reply.id();
        int moves = reply.target().topologies().get(topology.id()).hashCode();
        status(topology, cluster, "advises " + moves, text);
      } else if (reply.target().isEmpty()) {
        status(topology, cluster, Sentences.codes(reply), "Ballast moves nothing: " + why);
      }
    }
  }

  private void tellScaling(Scaling scaling) {
    if (scaling.isAdvice()) {
      journal.tell(Sentences.scalingMatter(scaling), Sentences.scaling(scaling, conf.drains()));
    }
    if (!scaling.release().isEmpty()) {
      journal.tell(
          "release " + scaling.release(),
          "drained and empty, may be shut down: " + String.join(", ", scaling.release()));
    }
    if (!scaling.parallelism().isEmpty()) {
      journal.tell(
          Sentences.parallelismMatter(scaling.parallelism()),
          Sentences.parallelism(scaling.parallelism()));
    }
  }

  /** A topology's status; what it lacks stands first. */
  private void status(
      ClusterSnapshot.Topology topology, Cluster cluster, String about, String text) {
    String lack = Lack.of(topology);
    journal.status(
        cluster, topology.id(), lack + about, lack.isEmpty() ? text : lack + ". " + text);
  }

  /** A reply that was understood and cannot be followed; the delegate does the round. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }
}
