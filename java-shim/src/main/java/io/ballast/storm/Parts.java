package io.ballast.storm;

import io.ballast.storm.telemetry.Telemetry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts Ballast together for one {@code prepare}, and takes it apart. */
final class Parts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Parts.class);

  /**
   * What Ballast is made of besides itself.
   *
   * @param ticker clocks
   * @param engine where the engine comes from
   * @param loads where loads come from; one that is closeable is closed with the rest
   * @param threads plan on a thread; without, only {@link Planner#planOnce} plans
   */
  record Kit(
      Ticker ticker,
      Function<BallastConf, Engine.Source> engine,
      BiFunction<Map<String, Object>, Homes, Loads.Source> loads,
      boolean threads) {
    static final Kit STANDARD =
        new Kit(Ticker.SYSTEM, NativeEngine::source, LoadFeed::started, true);
  }

  private final Round round;
  private final Planner planner;
  private final NativeGate gate;
  private final BallastMetrics metrics;
  private final Loads.Source loads;
  private final Delegate delegate;
  private final AdviceMemory advice;

  /** Null: switched off. */
  private final Telemetry telemetry;

  private Parts(
      Kit kit, Map<String, Object> stormConf, Delegate delegate, StormMetricsRegistry registry) {
    this.delegate = delegate;
    BallastConf given = BallastConf.of(stormConf);
    Health health =
        new Health(
            kit.ticker(), given.number(BallastConf.Setting.NATIVE_RETRY_SECS), delegate.name());
    gate = new NativeGate(kit.engine().apply(given), health);
    telemetry = given.takesTelemetry() ? telemetry(given, stormConf) : null;
    metrics = new BallastMetrics(registry, gate::ready, telemetry);
    Homes homes = new Homes();
    RoundMemory memory = new RoundMemory(kit.ticker(), homes);
    advice = memory.advice();
    loads = kit.loads().apply(stormConf, homes);
    planner =
        new Planner(
            gate,
            telemetry == null ? loads : joined(loads, telemetry),
            new RequestWriter(stormConf, delegate.isResourceAware()),
            new Recorder(
                given.text(BallastConf.Setting.RECORD_DIR),
                (int) given.number(BallastConf.Setting.RECORD_FILES)),
            metrics,
            memory,
            new Advisory(advice, new AdviceFolder(given.text(BallastConf.Setting.ADVICE_DIR))),
            kit.ticker());
    planner.configure(given);
    round =
        new Round(
            gate, memory, planner, new PlanApplier(kit.ticker(), memory), new Journal(), metrics);
    round.configure(given);
    open(given);
    if (kit.threads()) {
      planner.start(() -> open(given));
    }
  }

  static Parts assemble(
      Kit kit, Map<String, Object> stormConf, Delegate delegate, StormMetricsRegistry registry) {
    return new Parts(kit, stormConf, delegate, registry);
  }

  private static Telemetry telemetry(BallastConf given, Map<String, Object> stormConf) {
    return Telemetry.started(
        new Telemetry.Settings(
            given.text(BallastConf.Setting.TELEMETRY_HOST),
            (int) given.number(BallastConf.Setting.TELEMETRY_PORT),
            given.number(BallastConf.Setting.TELEMETRY_PERIOD_SECS),
            given.number(BallastConf.Setting.TELEMETRY_SECRET_HOURS),
            given.amount(BallastConf.Setting.LOAD_WARM_SECS)),
        stormConf);
  }

  private static Loads.Source joined(Loads.Source statistics, Telemetry telemetry) {
    HookLoads hook = new HookLoads(telemetry.measurements(), telemetry.maxAgeSecs());
    return () -> statistics.current().with(hook);
  }

  /** A scheduling round begins: the leader's, with these topologies. */
  void beginRound(Topologies topologies) {
    if (telemetry == null) {
      return;
    }
    Map<String, Telemetry.Known> known = new HashMap<>();
    for (TopologyDetails topology : topologies) {
      int taskMax =
          topology.getExecutors().stream().mapToInt(ExecutorDetails::getEndTask).max().orElse(0);
      known.put(topology.getId(), new Telemetry.Known(topology.getConf(), taskMax));
    }
    telemetry.round(known);
  }

  /** Null: switched off. */
  Telemetry telemetry() {
    return telemetry;
  }

  /** Opens the engine if it is not open, and goes by what it says about the settings. */
  private void open(BallastConf given) {
    Welcome welcome = gate.open(given);
    if (welcome == null) {
      return;
    }
    for (Welcome.Problem problem : welcome.problems()) {
      LOG.error(
          "ballast.{}: {}; {}. Ballast only advises until this is mended",
          problem.setting(),
          problem.detail(),
          problem.advice());
    }
    BallastConf judged = given.judgedBy(welcome);
    planner.configure(judged);
    round.configure(judged);
    LOG.info(
        "Ballast {} is ready: mode {}, homeless executors are placed by {}, below it {}",
        welcome.library(),
        judged.applies() ? "apply" : "advise",
        judged.placesNatively() ? "its engine" : delegate.name(),
        delegate.name());
  }

  Round round() {
    return round;
  }

  Planner planner() {
    return planner;
  }

  AdviceMemory advice() {
    return advice;
  }

  BallastMetrics metrics() {
    return metrics;
  }

  @Override
  public void close() {
    planner.close();
    gate.close();
    metrics.close();
    if (telemetry != null) {
      telemetry.close();
    }
    if (loads instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception failed) {
        LOG.debug("while closing", failed);
      }
    }
  }
}
