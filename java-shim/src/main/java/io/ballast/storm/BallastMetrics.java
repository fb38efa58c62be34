package io.ballast.storm;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Meter;
import com.codahale.metrics.Metric;
import com.codahale.metrics.MetricSet;
import com.codahale.metrics.Timer;
import io.ballast.storm.telemetry.Counts;
import io.ballast.storm.telemetry.Telemetry;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.storm.metric.StormMetricsRegistry;

/**
 * Ballast's figures in Storm's own metrics registry, which Nimbus's reporters publish. Names begin
 * with {@code ballast:}.
 */
final class BallastMetrics implements MetricSet, AutoCloseable {
  private final StormMetricsRegistry registry;
  private final Map<String, Metric> metrics = new TreeMap<>();
  private final Meter plans = meter("ballast:plans");
  private final Meter applied = meter("ballast:plans-applied");
  private final Meter refused = meter("ballast:plans-refused");
  private final Meter restarts = meter("ballast:restarts");
  private final Meter placements = meter("ballast:placements");
  private final Meter fallbacks = meter("ballast:fallback-rounds");
  private final Timer rounds = new Timer();
  private volatile double loadDistance = Double.NaN;
  private volatile double predictionError = Double.NaN;
  private volatile double pauseSecs = Double.NaN;
  private volatile double remoteMicros = Double.NaN;

  /**
   * Registers all of them; those of an earlier {@code prepare} are replaced.
   *
   * @param telemetry null: switched off
   */
  BallastMetrics(StormMetricsRegistry registry, BooleanSupplier nativeReady, Telemetry telemetry) {
    this.registry = registry;
    if (telemetry != null) {
      Counts counts = telemetry.counts();
      metrics.put("ballast:telemetry-reports", (Gauge<Long>) counts::reports);
      metrics.put("ballast:telemetry-dropped", (Gauge<Long>) counts::dropped);
      for (String why : Counts.reasons()) {
        metrics.put("ballast:telemetry-dropped-" + why, (Gauge<Long>) () -> counts.dropped(why));
      }
    }
    metrics.put("ballast:round-time", rounds);
    metrics.put("ballast:load-distance", (Gauge<Double>) () -> loadDistance);
    metrics.put("ballast:prediction-error", (Gauge<Double>) () -> predictionError);
    metrics.put("ballast:restart-pause-secs", (Gauge<Double>) () -> pauseSecs);
    metrics.put("ballast:remote-tuple-us", (Gauge<Double>) () -> remoteMicros);
    metrics.put("ballast:native-ready", (Gauge<Integer>) () -> nativeReady.getAsBoolean() ? 1 : 0);
    registry.removeAll(this);
    registry.registerAll(this);
  }

  private Meter meter(String name) {
    Meter meter = new Meter();
    metrics.put(name, meter);
    return meter;
  }

  @Override
  public Map<String, Metric> getMetrics() {
    return metrics;
  }

  /** A planning round was answered. */
  void planned(Reply reply) {
    plans.mark();
    loadDistance = reply.distanceBefore();
  }

  void applied(Reply reply) {
    applied.mark();
    restarts.mark(reply.restarts());
  }

  /** What became of a plan was measured. */
  void measured(Outcome outcome) {
    predictionError = outcome.error();
    pauseSecs = outcome.pauseSecs().orElse(Double.NaN);
  }

  /** What a tuple that leaves its worker costs, microseconds of CPU; empty: not known. */
  void remote(OptionalDouble micros) {
    remoteMicros = micros.orElse(Double.NaN);
  }

  void refused() {
    refused.mark();
  }

  /** Homeless executors got their slots from the engine. */
  void placed() {
    placements.mark();
  }

  /** The delegate scheduled alone, although Ballast was to place. */
  void fallback() {
    fallbacks.mark();
  }

  /** Times our own part of a round under Nimbus's lock; the delegate's is Storm's. */
  Timer.Context round() {
    return rounds.time();
  }

  @Override
  public void close() {
    registry.removeAll(this);
  }
}
