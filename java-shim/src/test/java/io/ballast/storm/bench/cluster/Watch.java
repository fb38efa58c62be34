package io.ballast.storm.bench.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Gives the spouts their orders, waits, and reads what came of it. */
final class Watch {
  /** So long after an instant every spout has written what it saw until then. */
  private static final long WRITTEN_MILLIS = 2 * AckLog.INTERVAL_NANOS / 1_000_000;

  private static final double START_SECS = 120;

  private final long began = System.nanoTime();
  private final Path folder;
  private final Nodes nodes;
  private long step;

  /**
   * @param folder of the orders and of what the spouts write
   */
  Watch(Path folder, Nodes nodes) {
    this.folder = folder;
    this.nodes = nodes;
  }

  /**
   * A window of steady state.
   *
   * @param cores used of each node in it, by host, its daemons included
   * @param workers the same without its daemons
   */
  record Window(Flow flow, Map<String, Double> cores, Map<String, Double> workers) {
    /** CPU of all nodes for one flight, ms. */
    double cpuMsPerFlight() {
      return cores.values().stream().mapToDouble(c -> c).sum() / flow.ackedPerSec() * 1e3;
    }

    /**
     * Largest distance of a node's utilization from the mean (ALBIC, ICDE 2017).
     *
     * @param size cores of each node
     */
    double loadDistance(double size) {
      double mean = cores.values().stream().mapToDouble(c -> c).average().orElseThrow();
      return cores.values().stream().mapToDouble(c -> Math.abs(c - mean)).max().orElseThrow()
          / size;
    }
  }

  void order(double perSec) throws IOException {
    step++;
    new Order(step, perSec).write(folder);
  }

  void pause(double secs) throws InterruptedException {
    Thread.sleep((long) (secs * 1000));
  }

  /** Measures from now on. */
  Window window(double secs) throws IOException, InterruptedException {
    Map<String, Nodes.Used> before = nodes.used();
    long from = System.nanoTime();
    pause(secs);
    long to = System.nanoTime();
    Map<String, Nodes.Used> after = nodes.used();
    Thread.sleep(WRITTEN_MILLIS);
    Flow flow = Flow.between(folder, from, to);
    Map<String, Double> cores = new LinkedHashMap<>();
    Map<String, Double> workers = new LinkedHashMap<>();
    after.forEach(
        (host, used) -> {
          cores.put(host, (used.all() - before.get(host).all()) / flow.secs());
          workers.put(host, used.workersSince(before.get(host)) / flow.secs());
        });
    return new Window(flow, cores, workers);
  }

  /** Waits until flights come back, which takes a topology that has just been submitted a while. */
  void awaitFlow() throws IOException, InterruptedException {
    long now = System.nanoTime();
    long until = now + (long) (START_SECS * 1e9);
    while (Flow.between(folder, now, System.nanoTime()).acked() == 0) {
      if (System.nanoTime() >= until) {
        throw new IllegalStateException("no flight came back within " + START_SECS + " s");
      }
      pause(1);
    }
  }

  /**
   * Waits at a rate that is surely held until latencies are small again, so many seconds at most.
   */
  void drain(double perSec, double secs) throws IOException, InterruptedException {
    order(perSec);
    long until = System.nanoTime() + (long) (secs * 1e9);
    while (System.nanoTime() < until) {
      Window window = window(2);
      if (Ramp.held(perSec * 0.9, window.flow())) {
        return;
      }
    }
  }

  /** A line of progress, with the seconds since this began. */
  void say(String format, Object... values) {
    System.err.printf(
        Locale.ROOT,
        "  %5.0f s  %s%n",
        (System.nanoTime() - began) / 1e9,
        String.format(Locale.ROOT, format, values));
  }
}
