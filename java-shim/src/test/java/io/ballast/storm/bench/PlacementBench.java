package io.ballast.storm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ballast.storm.BenchDoor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.resource.ResourceAwareScheduler;

/**
 * Ballast beside Storm's ResourceAwareScheduler on the large clusters of Storm's own tests: the
 * whole {@code schedule} call on an empty cluster, alternating, in one JVM; then rounds in which
 * nothing is to be done. Prints Markdown tables.
 *
 * <p>Arguments: a folder for temporary files, the engine's library, repetitions (3), steady rounds
 * (300).
 */
final class PlacementBench {
  private static final int CLUSTERS = 3;

  private final Path folder;
  private final String library;
  private final int repetitions;
  private final int rounds;

  private PlacementBench(Path folder, String library, int repetitions, int rounds) {
    this.folder = folder;
    this.library = library;
    this.repetitions = repetitions;
    this.rounds = rounds;
  }

  public static void main(String[] arguments) throws Exception {
    Locale.setDefault(Locale.ROOT);
    new PlacementBench(
            Files.createDirectories(Path.of(arguments[0])),
            arguments[1],
            arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3,
            arguments.length > 3 ? Integer.parseInt(arguments[3]) : 300)
        .run();
  }

  /** What one scheduler made of an empty cluster. */
  private static final class Result {
    final List<Double> seconds = new ArrayList<>();
    int workers;
    int placed;
    Traffic traffic;
    Cluster cluster;

    void take(double secs, Cluster scheduled) {
      seconds.add(secs);
      cluster = scheduled;
      workers =
          scheduled.getAssignments().values().stream().mapToInt(a -> a.getSlots().size()).sum();
      placed =
          scheduled.getAssignments().values().stream().mapToInt(a -> a.getExecutors().size()).sum();
      traffic = Traffic.of(scheduled);
    }
  }

  private void run() throws Exception {
    List<String> steady = new ArrayList<>();
    System.out.println(
        "| cluster | scheduler | schedule(), s: median (min-max) | times faster | placed | workers"
            + " | across workers | across nodes | across racks |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    for (int number = 1; number <= CLUSTERS; number++) {
      LargeCluster large = LargeCluster.read(number, folder);
      IScheduler stock = new ResourceAwareScheduler();
      stock.prepare(large.conf(), new StormMetricsRegistry());
      Map<String, Object> conf = new HashMap<>(large.conf());
      conf.put("ballast.delegate.scheduler", ResourceAwareScheduler.class.getName());
      conf.put("ballast.native.path", library);
      conf.put("ballast.mode", "apply");
      IScheduler ballast = BenchDoor.scheduler();
      ballast.prepare(conf, new StormMetricsRegistry());
      proveThatTheEnginePlaces(large, conf);
      Result theirs = new Result();
      Result ours = new Result();
      for (int run = 0; run <= repetitions; run++) {
        once(stock, large, theirs, run > 0);
        once(ballast, large, ours, run > 0);
      }
      row(large, "ResourceAwareScheduler", theirs, theirs);
      row(large, "Ballast", ours, theirs);
      steady.add(steady(large, ballast, ours.cluster));
      ballast.cleanup();
      stock.cleanup();
    }
    System.out.println();
    System.out.println("| cluster | executors | steady round, ms: p50 | p99 | max | rounds |");
    System.out.println("|---|---|---|---|---|---|");
    steady.forEach(System.out::println);
  }

  /** The delegate would serve what the engine leaves, so its own answer is looked at first. */
  private void proveThatTheEnginePlaces(LargeCluster large, Map<String, Object> conf)
      throws IOException {
    byte[] request = BenchDoor.placement(conf, large.topologies(), large.empty());
    long before = System.nanoTime();
    byte[] answer = BenchDoor.answer(request);
    double secs = (System.nanoTime() - before) / 1e9;
    Files.write(folder.resolve(large.name() + ".request.json"), request);
    Files.write(folder.resolve(large.name() + ".reply.json"), answer);
    JsonNode reply = new ObjectMapper().readTree(answer);
    if (!reply.path("verdict").asText().equals("placed")) {
      throw new IllegalStateException(
          large.name()
              + ": the engine says "
              + reply.path("verdict")
              + " "
              + reply.path("notes")
              + " "
              + reply.path("refusal"));
    }
    System.err.printf(
        "%s: %d topologies, %d executors, %d supervisors; engine and judge alone, first call: %.0f"
            + " ms for %d KiB in, %d KiB out%n",
        large.name(),
        large.topologies().getTopologies().size(),
        large.executors(),
        large.supervisors().size(),
        secs * 1000,
        request.length / 1024,
        answer.length / 1024);
  }

  private static void once(
      IScheduler scheduler, LargeCluster large, Result result, boolean counted) {
    Cluster cluster = large.empty();
    System.gc();
    long before = System.nanoTime();
    scheduler.schedule(large.topologies(), cluster);
    double secs = (System.nanoTime() - before) / 1e9;
    if (counted) {
      result.take(secs, cluster);
    }
  }

  private static void row(LargeCluster large, String scheduler, Result result, Result base) {
    System.out.printf(
        "| %s | %s | %.3f (%.3f-%.3f) | %.1f | %d of %d | %d | %.1f %% | %.1f %% | %.1f %% |%n",
        large.name(),
        scheduler,
        quantile(result.seconds, 0.5),
        Collections.min(result.seconds),
        Collections.max(result.seconds),
        quantile(base.seconds, 0.5) / quantile(result.seconds, 0.5),
        result.placed,
        large.executors(),
        result.workers,
        result.traffic.acrossWorkers() * 100,
        result.traffic.acrossNodes() * 100,
        result.traffic.acrossRacks() * 100);
  }

  /** Rounds on the placed cluster, each on a cluster object of its own, as Nimbus makes them. */
  private String steady(LargeCluster large, IScheduler ballast, Cluster placed) {
    List<Double> millis = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      Cluster cluster = large.placedAs(placed);
      long before = System.nanoTime();
      ballast.schedule(large.topologies(), cluster);
      millis.add((System.nanoTime() - before) / 1e6);
      if (round == rounds - 1 && !same(cluster, placed)) {
        throw new IllegalStateException(large.name() + ": a steady round changed the cluster");
      }
    }
    return String.format(
        "| %s | %d | %.1f | %.1f | %.1f | %d |",
        large.name(),
        large.executors(),
        quantile(millis, 0.5),
        quantile(millis, 0.99),
        Collections.max(millis),
        rounds);
  }

  private static boolean same(Cluster one, Cluster other) {
    return one.getAssignments().keySet().stream()
        .allMatch(
            id ->
                Objects.equals(
                    one.getAssignmentById(id).getExecutorToSlot(),
                    other.getAssignmentById(id).getExecutorToSlot()));
  }

  private static double quantile(List<Double> values, double share) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(share * sorted.size())));
  }
}
