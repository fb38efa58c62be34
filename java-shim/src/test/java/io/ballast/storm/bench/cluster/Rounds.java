package io.ballast.storm.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What Ballast wrote down of its rounds ({@code ballast.record.dir}), and the plans in Nimbus's
 * log.
 *
 * @param folder of the recorded rounds
 */
record Rounds(Path folder) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern APPLIED =
      Pattern.compile("Ballast: applied plan-[0-9a-f]+.* ([0-9]+) worker restarts?\\b");

  /**
   * Cores of a node by the newest recorded request.
   *
   * @param hook executors that the hook measured, and the overhead of their workers
   * @param stats executors that Storm's statistics weigh
   * @param unmeasured executors that nobody weighs, spouts among them where the hook does not
   */
  record Load(double hook, double stats, int unmeasured) {
    private static final Load NONE = new Load(0, 0, 0);

    private Load plus(double moreHook, double moreStats, int moreUnmeasured) {
      return new Load(hook + moreHook, stats + moreStats, unmeasured + moreUnmeasured);
    }
  }

  /** Loads of the newest request, by host. */
  Map<String, Load> newest() throws IOException {
    List<Path> requests = files("-request.json");
    if (requests.isEmpty()) {
      throw new IOException("Ballast recorded no round in " + folder);
    }
    return loads(JSON.readTree(requests.get(requests.size() - 1).toFile()));
  }

  static Map<String, Load> loads(JsonNode request) {
    Map<String, String> hosts = new HashMap<>();
    for (JsonNode node : request.path("nodes")) {
      hosts.put(node.path("id").asText(), node.path("host").asText());
    }
    Map<String, Load> loads = new TreeMap<>();
    for (JsonNode topology : request.path("topologies")) {
      for (JsonNode executor : topology.path("executors")) {
        String host = hosts.get(executor.path("node").asText());
        if (host == null) {
          continue;
        }
        double cores = executor.path("cpu_cores").asDouble(0);
        boolean measured = executor.hasNonNull("cpu_cores");
        boolean hook = measured && executor.path("load_source").asText().equals("hook");
        loads.merge(
            host,
            Load.NONE.plus(hook ? cores : 0, hook ? 0 : cores, measured ? 0 : 1),
            (a, b) -> a.plus(b.hook(), b.stats(), b.unmeasured()));
      }
      for (JsonNode worker : topology.path("worker_cpu")) {
        double overhead = worker.path("overhead_cores").asDouble(0);
        loads.computeIfPresent(
            hosts.get(worker.path("node").asText()), (host, load) -> load.plus(overhead, 0, 0));
      }
    }
    return loads;
  }

  /**
   * How far plans were off, |predicted - measured| load distance.
   *
   * @param until outcomes measured later are left out: the rate was another one by then
   */
  List<Double> predictionErrors(Instant until) throws IOException {
    List<Double> errors = new ArrayList<>();
    for (Path file : files("-outcome.json")) {
      JsonNode outcome = JSON.readTree(file.toFile());
      if (!Instant.parse(outcome.path("measured_at").asText()).isAfter(until)) {
        errors.add(
            Math.abs(
                outcome.path("load_distance_predicted").asDouble()
                    - outcome.path("load_distance_measured").asDouble()));
      }
    }
    return errors;
  }

  /**
   * Restarts of every plan that was applied.
   *
   * @param log of Nimbus
   */
  static List<Integer> restarts(String log) {
    List<Integer> restarts = new ArrayList<>();
    Matcher line = APPLIED.matcher(log);
    while (line.find()) {
      restarts.add(Integer.valueOf(line.group(1)));
    }
    return restarts;
  }

  private List<Path> files(String ending) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }
}
