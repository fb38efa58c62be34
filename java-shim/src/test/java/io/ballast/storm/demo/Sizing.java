package io.ballast.storm.demo;

/**
 * How much work the topology brings: a fixed input rate, and bootstrap samples for each flight that
 * make each stage cost a given number of cores on the machine at hand. So a fast and a slow machine
 * see the same utilization, and neither is driven into contention, which would falsify Storm's
 * execute latency (it is wall time).
 *
 * @param flightsPerSec input rate of the whole topology, open loop
 * @param planeResamples bootstrap samples a flight in delay-by-plane
 * @param routeResamples the same in delay-by-route
 * @param carrierResamples the same in delay-by-carrier
 */
public record Sizing(
    int flightsPerSec, int planeResamples, int routeResamples, int carrierResamples) {
  /** Flights a second at which the stages cost the cores below. */
  static final int FLIGHTS_PER_SEC = 400;

  private static final double PLANE_CORES = 0.03;
  private static final double ROUTE_CORES = 0.09;
  private static final double CARRIER_CORES = 0.18;

  /**
   * @param flightsPerSec of which each costs the same, so that the rate sets the load
   */
  static Sizing forThisMachine(int flightsPerSec) {
    double secsPerSample = secsPerSample();
    return new Sizing(
        flightsPerSec,
        resamples(PLANE_CORES, secsPerSample),
        resamples(ROUTE_CORES, secsPerSample),
        resamples(CARRIER_CORES, secsPerSample));
  }

  private static int resamples(double cores, double secsPerSample) {
    return (int) Math.max(1, Math.round(cores / FLIGHTS_PER_SEC / secsPerSample));
  }

  /** Time of one bootstrap sample of a full window, measured on compiled code. */
  public static double secsPerSample() {
    int resamples = 200;
    DelayWindow window = new DelayWindow(resamples, 1);
    double best = Double.POSITIVE_INFINITY;
    // The best of many short runs: what disturbs a run only ever makes it slower.
    for (int run = 0; run < 40; run++) {
      long start = System.nanoTime();
      for (int flight = 0; flight < DelayWindow.SIZE; flight++) {
        window.add(flight);
      }
      double secs = (System.nanoTime() - start) / 1e9;
      best = Math.min(best, secs / resamples / DelayWindow.SIZE);
    }
    return best;
  }
}
