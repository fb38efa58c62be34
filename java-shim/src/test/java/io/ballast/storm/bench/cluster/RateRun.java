package io.ballast.storm.bench.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One scheduler with one topology: a warm-up, a ramp up to the highest rate that is held, then
 * latency at half and at four fifths of a base rate. One line of JSON comes out.
 */
final class RateRun {
  private static final double DRAIN_SECS = 20;
  private static final double LATENCY_SETTLE_SECS = 3;
  private static final double LATENCY_SECS = 15;

  private final Watch watch;
  private final double warmRate;

  private RateRun(Watch watch, double warmRate) {
    this.watch = watch;
    this.warmRate = warmRate;
  }

  /** Takes {@code -Dbench.*}. */
  public static void main(String[] none) throws Exception {
    double warmRate = Setting.number("warm-rate");
    Nodes nodes = Setting.nodes();
    Watch watch = new Watch(Setting.path("folder"), nodes);
    RateRun run = new RateRun(watch, warmRate);
    Map<String, Object> result = new LinkedHashMap<>();
    for (String name : List.of("part", "scheduler", "round")) {
      result.put(name, Setting.text(name));
    }
    run.warmUp(Setting.number("warm-secs"));
    Instant warm = Instant.now();
    Path log = Setting.path("nimbus-log");
    List<Integer> restarts = Rounds.restarts(Files.readString(log));
    watch.say("warm: %d plans applied, %d restarts", restarts.size(), sum(restarts));
    result.put("plans", restarts.size());
    result.put("restarts_warm", sum(restarts));
    double sustainable = run.ramp(Setting.number("step-secs"));
    result.put("sustainable", sustainable);
    double base = Setting.number("base");
    base = base > 0 ? base : sustainable;
    run.latency("50", base * 0.5, nodes.cores(), result);
    run.latency("80", base * 0.8, nodes.cores(), result);
    result.put("restarts", sum(Rounds.restarts(Files.readString(log))));
    result.put("errors", new Rounds(Setting.path("rounds")).predictionErrors(warm));
    System.out.println(new ObjectMapper().writeValueAsString(result));
  }

  private static int sum(List<Integer> restarts) {
    return restarts.stream().mapToInt(r -> r).sum();
  }

  private void warmUp(double secs) throws IOException, InterruptedException {
    long began = System.nanoTime();
    watch.order(warmRate);
    watch.awaitFlow();
    watch.say("the topology is up; warming up at %.0f flights/s", warmRate);
    double left = secs - (System.nanoTime() - began) / 1e9;
    watch.pause(Math.max(0, left));
    watch.drain(warmRate, DRAIN_SECS);
  }

  private double ramp(double stepSecs) throws IOException, InterruptedException {
    Ramp ramp = new Ramp(warmRate, Setting.number("before"));
    while (!ramp.over()) {
      double rate = ramp.rate();
      watch.order(rate);
      watch.pause(stepSecs / 2);
      Flow flow = watch.window(stepSecs / 2).flow();
      boolean held = Ramp.held(rate, flow);
      watch.say(
          "%.0f flights/s offered, %.0f acked, p99 %.0f ms%s",
          rate, flow.ackedPerSec(), flow.p99Ms(), held ? "" : ": not held");
      ramp.tried(held);
      if (!held) {
        watch.drain(rate / 2, DRAIN_SECS);
      }
    }
    double sustainable =
        ramp.sustainable()
            .orElseThrow(() -> new IllegalStateException("no rate of the ramp was held"));
    watch.say("sustainable: %.0f flights/s", sustainable);
    return sustainable;
  }

  private void latency(String share, double rate, double size, Map<String, Object> result)
      throws IOException, InterruptedException {
    watch.drain(rate, DRAIN_SECS);
    watch.pause(LATENCY_SETTLE_SECS);
    Watch.Window window = watch.window(LATENCY_SECS);
    watch.say(
        "%s %% of the base rate: %.0f flights/s, p50 %.1f ms, p99 %.0f ms, cores %s",
        share, rate, window.flow().p50Ms(), window.flow().p99Ms(), cores(window.cores()));
    result.put("p50_" + share, window.flow().p50Ms());
    result.put("p99_" + share, window.flow().p99Ms());
    result.put("held_" + share, Ramp.held(rate, window.flow()));
    result.put("cpu_ms_" + share, window.cpuMsPerFlight());
    result.put("distance_" + share, window.loadDistance(size));
  }

  private static String cores(Map<String, Double> cores) {
    return String.join(" ", cores.values().stream().map(c -> String.format("%.2f", c)).toList());
  }
}
