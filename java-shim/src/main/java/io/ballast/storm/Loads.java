package io.ballast.storm;

import io.ballast.storm.telemetry.Usual;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.scheduler.ExecutorDetails;

/**
 * Measured loads: an immutable table that is replaced as a whole, and what the hook measured.
 *
 * @param windowSecs longest window any of them comes from, seconds; 0: no load is known
 * @param topologies topology id to executor to load by Storm's statistics; an executor that was not
 *     measured may be absent
 * @param hook what is trusted more than the statistics
 */
record Loads(
    double windowSecs, Map<String, Map<ExecutorDetails, Load>> topologies, HookLoads hook) {

  /** Nothing measured. */
  static final Loads NONE = new Loads(0.0, Map.of());

  /** By statistics alone. */
  Loads(double windowSecs, Map<String, Map<ExecutorDetails, Load>> topologies) {
    this(windowSecs, topologies, HookLoads.NONE);
  }

  /** The same table, and the hook beside it. */
  Loads with(HookLoads measured) {
    return new Loads(windowSecs, topologies, measured);
  }

  /**
   * What is known about one executor.
   *
   * @param cores cores it keeps busy; NaN: not measured, which is never the same as zero
   * @param uptimeSecs since its worker started it; NaN: unknown
   * @param host where it ran when this was measured; null: unknown
   * @param port where it ran when this was measured
   * @param rates tuples it received and emitted
   * @param source where {@code cores} comes from, in the words of the wire
   * @param usual what it uses in warm workers; null: not known
   */
  record Load(
      double cores,
      double uptimeSecs,
      String host,
      int port,
      Rates rates,
      String source,
      Usual usual) {

    /** By the hook: what it measured last. */
    static final String HOOK = "hook";

    /** By the hook: what is usual, since what was measured last is a warm-up or elsewhere. */
    static final String HISTORY = "history";

    /** By Storm's statistics. */
    Load(double cores, double uptimeSecs, String host, int port, Rates rates) {
      this(cores, uptimeSecs, host, port, rates, "stats", null);
    }

    /** The same load in the worker, and with the rates, that another one tells. */
    Load in(Load other) {
      return new Load(cores, other.uptimeSecs, other.host, other.port, other.rates, source, usual);
    }

    /** What is usual in the place of what was measured, if it may stand there. */
    Load asUsual() {
      return usual == null || !usual.holds()
          ? this
          : new Load(usual.cores(), uptimeSecs, host, port, rates, HISTORY, usual);
    }

    /** A measurement whose worker is of no account, for injected loads. */
    static Load of(double cores, double uptimeSecs) {
      return new Load(cores, uptimeSecs, null, 0, Rates.NONE);
    }
  }

  /**
   * Tuples a second of one executor, over the same time as its load.
   *
   * @param received by input stream; null: not measured
   * @param emitted over all streams; NaN: not measured
   */
  record Rates(Map<GlobalStreamId, Double> received, double emitted) {

    /** Nothing measured. */
    static final Rates NONE = new Rates(null, Double.NaN);

    /** Over all streams; NaN: not measured. */
    double receivedPerSec() {
      return received == null
          ? Double.NaN
          : received.values().stream().mapToDouble(rate -> rate).sum();
    }
  }

  /** The most trusted load of an executor; null: nothing is known. */
  Load of(String topologyId, ExecutorDetails executor) {
    return hook.join(
        topologyId, executor, topologies.getOrDefault(topologyId, Map.of()).get(executor));
  }

  /**
   * What some executors received over one stream, all together.
   *
   * @return tuples a second; NaN: not all of them were measured
   */
  double received(String topologyId, List<ExecutorDetails> executors, GlobalStreamId stream) {
    double sum = 0.0;
    for (ExecutorDetails executor : executors) {
      Load load = of(topologyId, executor);
      if (load == null || load.rates().received() == null) {
        return Double.NaN;
      }
      sum += load.rates().received().getOrDefault(stream, 0.0);
    }
    return sum;
  }

  /** Where loads come from. Asked off Nimbus's lock and on it; must answer at once. */
  interface Source {
    /** The newest table. */
    Loads current();
  }
}
