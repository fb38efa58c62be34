package io.ballast.storm;

import java.util.Map;
import org.apache.storm.scheduler.ExecutorDetails;

/**
 * Measured loads, an immutable table that is replaced as a whole.
 *
 * @param windowSecs longest window any of them comes from, seconds; 0: no load is known
 * @param topologies topology id to executor to load; an executor that was not measured may be
 *     absent
 */
record Loads(double windowSecs, Map<String, Map<ExecutorDetails, Load>> topologies) {

  /** Nothing measured. */
  static final Loads NONE = new Loads(0.0, Map.of());

  /**
   * What is known about one executor.
   *
   * @param cores cores it keeps busy; NaN: not measured, which is never the same as zero
   * @param uptimeSecs since its worker started it; NaN: unknown
   * @param host where it ran when this was measured; null: unknown
   * @param port where it ran when this was measured
   */
  record Load(double cores, double uptimeSecs, String host, int port) {

    /** A measurement whose worker is of no account, for injected loads. */
    static Load of(double cores, double uptimeSecs) {
      return new Load(cores, uptimeSecs, null, 0);
    }
  }

  Load of(String topologyId, ExecutorDetails executor) {
    return topologies.getOrDefault(topologyId, Map.of()).get(executor);
  }

  /** Where loads come from. Asked off Nimbus's lock and on it; must answer at once. */
  interface Source {
    /** The newest table. */
    Loads current();
  }
}
