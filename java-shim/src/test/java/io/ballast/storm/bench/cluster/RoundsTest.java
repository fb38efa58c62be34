package io.ballast.storm.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoundsTest {
  private static final String REQUEST =
      """
      { "nodes": [ { "id": "a-1", "host": "127.0.0.11" }, { "id": "b-2", "host": "127.0.0.12" } ],
        "topologies": [ {
          "executors": [
            { "tasks": [1, 1], "node": "a-1", "cpu_cores": 0.25, "load_source": "hook" },
            { "tasks": [2, 2], "node": "a-1", "cpu_cores": 0.125, "load_source": "stats" },
            { "tasks": [3, 3], "node": "a-1" },
            { "tasks": [4, 4], "node": "b-2", "cpu_cores": 0.5 },
            { "tasks": [5, 5] } ],
          "worker_cpu": [ { "node": "a-1", "port": 1, "cpu_cores": 0.5, "overhead_cores": 0.0625 } ] } ] }
      """;

  @TempDir Path folder;

  @Test
  void loadsOfANodeGoByTheirSource() throws IOException {
    Files.writeString(folder.resolve("20261130-g1-request.json"), "{}");
    Files.writeString(folder.resolve("20261130-g2-request.json"), REQUEST);
    assertEquals(
        Map.of(
            "127.0.0.11", new Rounds.Load(0.3125, 0.125, 1),
            "127.0.0.12", new Rounds.Load(0, 0.5, 0)),
        new Rounds(folder).newest());
  }

  @Test
  void outcomesMeasuredTooLateAreLeftOut() throws IOException {
    outcome("g1", "2026-11-30T20:00:00Z", 0.05, 0.08);
    outcome("g2", "2026-11-30T20:01:00Z", 0.05, 0.25);
    List<Double> errors =
        new Rounds(folder).predictionErrors(Instant.parse("2026-11-30T20:00:30Z"));
    assertEquals(1, errors.size());
    assertEquals(0.03, errors.get(0), 1e-9);
    assertEquals(List.of(), new Rounds(folder.resolve("none")).predictionErrors(Instant.MAX));
  }

  @Test
  void restartsAreThoseOfAppliedPlans() {
    String log =
        """
        x [INFO] Ballast: applied plan-0a1b: 2 × relocate-worker of bench-1-2, load distance 0.310 to 0.110, 2 worker restarts, because 0.84 cores leave
        x [INFO] Ballast: would apply plan-77: load distance 0.3 to 0.1, 5 worker restarts, because
        x [INFO] Ballast: applied plan-0a1c: 1 × relocate-worker of bench-1-2, load distance 0.110 to 0.100, 1 worker restart, because
        """;
    assertEquals(List.of(2, 1), Rounds.restarts(log));
  }

  private void outcome(String name, String at, double predicted, double measured)
      throws IOException {
    Files.writeString(
        folder.resolve(name + "-outcome.json"),
        """
        { "measured_at": "%s", "load_distance_predicted": %s, "load_distance_measured": %s }
        """
            .formatted(at, predicted, measured));
  }
}
