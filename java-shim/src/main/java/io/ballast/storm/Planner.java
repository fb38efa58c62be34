package io.ballast.storm;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans beside the scheduling rounds: newest snapshot in, newest plan out, once every {@code
 * ballast.period.secs}, on one daemon thread. It never holds Nimbus's lock, so a plan may take its
 * time.
 */
final class Planner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Planner.class);

  /** The engine's setting for the pause of a restarted worker, seconds. */
  private static final String PAUSE_SECS = "cost.pause.secs";

  /** The engine's setting for the CPU of a tuple that leaves its worker, microseconds. */
  private static final String REMOTE_MICROS = "cost.remote.tuple.us";

  private final NativeGate gate;
  private final Loads.Source loads;
  private final RequestWriter writer;
  private final Recorder recorder;
  private final BallastMetrics metrics;
  private final RoundMemory memory;
  private final Advisory advisory;
  private final OutcomeWatch outcomes;
  private final RemoteCost remote = new RemoteCost();
  private final Ticker ticker;
  private final AtomicReference<ClusterSnapshot> newest = new AtomicReference<>();
  private final AtomicReference<Plan> waiting = new AtomicReference<>();
  private volatile Reply latest;
  private volatile BallastConf conf;
  private volatile long outdated;
  private volatile int coveredRounds;
  private volatile boolean planning;
  private volatile long planningSince;
  private Thread thread;

  Planner(
      NativeGate gate,
      Loads.Source loads,
      RequestWriter writer,
      Recorder recorder,
      BallastMetrics metrics,
      RoundMemory memory,
      Advisory advisory,
      Ticker ticker) {
    this.gate = gate;
    this.loads = loads;
    this.writer = writer;
    this.recorder = recorder;
    this.metrics = metrics;
    this.memory = memory;
    this.advisory = advisory;
    this.outcomes = new OutcomeWatch(ticker);
    this.ticker = ticker;
  }

  void configure(BallastConf judged) {
    conf = judged;
  }

  /** The state after a scheduling round; replaces one that was not planned for yet. */
  void offer(ClusterSnapshot snapshot) {
    newest.set(snapshot);
  }

  /** The plan that waits, which is then no longer waiting: a plan is tried once. */
  Plan take() {
    return waiting.getAndSet(null);
  }

  /** The newest reply, applied or not; null before the first. */
  Reply latest() {
    return latest;
  }

  /** The request of a placement call, which sees the same loads as planning does. */
  byte[] placement(ClusterSnapshot snapshot) {
    return writer.write(snapshot, loads.current(), question("place"));
  }

  /** With the costs of restarts and of tuples as they were seen, unless the operator tells them. */
  private RequestWriter.Question question(String ask) {
    Map<String, Object> settings = conf.settings();
    outcomes.pauseSecs().ifPresent(secs -> settings.putIfAbsent(PAUSE_SECS, secs));
    remote.micros().ifPresent(micros -> settings.putIfAbsent(REMOTE_MICROS, micros));
    return new RequestWriter.Question(
        ask,
        coveredRounds,
        memory.scale().lowRounds(),
        new PresentCopies(memory.advice(), conf.holdsCopies()),
        settings);
  }

  /** Ballast changed the cluster after this snapshot: what is planned from it or older is void. */
  void outdate(long generation) {
    outdated = generation;
    waiting.set(null);
  }

  /** A plan was carried out in the round of this generation. */
  void applied(Plan plan, long generation) {
    outdate(generation);
    outcomes.applied(plan, generation);
  }

  /** One planning round, on the caller's thread. Does nothing without a new snapshot. */
  void planOnce() {
    ClusterSnapshot snapshot = newest.getAndSet(null);
    if (snapshot == null || !gate.ready()) {
      return;
    }
    advisory.recall(snapshot);
    Loads measured = loads.current();
    remote
        .learn(snapshot, measured.hook(), conf.number(BallastConf.Setting.LOAD_WARM_SECS))
        .ifPresent(news -> LOG.info("Ballast: {}", news));
    metrics.remote(remote.micros());
    byte[] request = writer.write(snapshot, measured, question("plan"));
    recorder.request(snapshot, request);
    Reply reply;
    planningSince = ticker.nanos();
    planning = true;
    try {
      reply = gate.ask(request, snapshot.generation(), answer -> recorder.reply(snapshot, answer));
    } finally {
      planning = false;
    }
    metrics.planned(reply);
    coveredRounds = reply.coverageSufficient() ? coveredRounds + 1 : 0;
    memory.scale().learn(reply.scaling(), conf.drains());
    latest = reply;
    outcomes
        .look(snapshot, measured, reply, conf.number(BallastConf.Setting.LOAD_YOUNG_SECS))
        .ifPresent(outcome -> tell(outcome, snapshot));
    boolean stillTrue = snapshot.generation() > outdated;
    if (stillTrue) {
      advisory.learn(reply, snapshot);
    }
    if (conf.applies() && stillTrue && !reply.target().isEmpty()) {
      waiting.set(Plan.of(reply, snapshot, ticker.nanos()));
    }
    advisory.store();
  }

  private void tell(Outcome outcome, ClusterSnapshot snapshot) {
    LOG.info("Ballast: {}", outcome.sentence());
    metrics.measured(outcome);
    recorder.outcome(snapshot, outcome.json());
  }

  /** Seconds the present planning call has taken so far; 0 while none is out. */
  double planningSecs() {
    return planning ? ticker.secondsSince(planningSince) : 0.0;
  }

  /** Starts the thread; between rounds it also opens an engine that could not be had before. */
  void start(Runnable reopen) {
    thread = Threads.named("ballast-planner").newThread(() -> run(reopen));
    thread.start();
  }

  private void run(Runnable reopen) {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        reopen.run();
        planOnce();
      } catch (NativeFailure counted) {
        // Health has counted it and said so.
        LOG.debug("planning failed", counted);
      } catch (Throwable failed) {
        LOG.warn("Ballast could not plan: {}", Threads.say(failed));
      }
      try {
        Thread.sleep(Math.max(50L, (long) (conf.number(BallastConf.Setting.PERIOD_SECS) * 1000)));
      } catch (InterruptedException stopped) {
        return;
      }
    }
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
