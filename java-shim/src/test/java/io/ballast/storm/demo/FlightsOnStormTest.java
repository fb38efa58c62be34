package io.ballast.storm.demo;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ballast in a running Storm: Nimbus, supervisors, workers and tuples in this process. What is
 * asserted is what Storm assigned and what an operator sees, never what Ballast thinks.
 */
class FlightsOnStormTest {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  /** The demo's topology with a third of its work: tests run beside each other. */
  private static final Sizing LIGHT = new Sizing(200, 300, 1000, 4000);

  @TempDir Path rounds;

  @Test
  void inModeApplyStormsAssignmentBecomesThePlan() throws Exception {
    try (DemoCluster cluster = start("apply")) {
      BallastRecord record = new BallastRecord(cluster, rounds);
      Reading placed = placed(cluster);
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                record.look(cluster.read());
                assertFalse(record.plans().isEmpty(), () -> "status: " + record.status());
              });
      AppliedPlan plan = record.plans().get(0);
      assertTrue(plan.id().startsWith("plan-"), plan::id);
      assertTrue(plan.generation() > 0, plan::toString);
      assertTrue(plan.restarts() > 0 && !plan.moves().isEmpty(), plan::toString);
      assertNotEquals(placed.slots(), cluster.read().slots());
      assertLives(cluster);
      await().atMost(LIMIT).until(() -> !recorded("-outcome.json").isEmpty());
      JsonNode outcome = new ObjectMapper().readTree(recorded("-outcome.json").get(0).toFile());
      assertTrue(outcome.path("plan").asText().startsWith("plan-"), outcome::toString);
      assertTrue(outcome.path("load_distance_measured").asDouble(-1) >= 0, outcome::toString);
      assertFalse(outcome.path("workers").isEmpty(), outcome::toString);
      for (JsonNode worker : outcome.path("workers")) {
        double pauseSecs = worker.path("pause_secs").asDouble(-1);
        assertTrue(pauseSecs > 0 && pauseSecs < LIMIT.toSeconds(), outcome::toString);
      }
    }
  }

  @Test
  void inModeAdviseThePlanIsShownAndNothingMoves() throws Exception {
    try (DemoCluster cluster = start("advise")) {
      BallastRecord record = new BallastRecord(cluster, rounds);
      Reading placed = placed(cluster);
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                record.look(cluster.read());
                assertTrue(
                    record.status().matches("(?s).*advises .*plan-[0-9a-f]+.*"), record::status);
              });
      long answered = answered();
      await().atMost(LIMIT).until(() -> answered() >= answered + 3);
      assertEquals(placed.slots(), cluster.read().slots());
      assertTrue(record.plans().isEmpty(), () -> record.plans().toString());
      assertLives(cluster);
    }
  }

  private DemoCluster start(String mode) throws Exception {
    Map<String, Object> conf = new HashMap<>();
    conf.put("storm.scheduler", "io.ballast.storm.BallastScheduler");
    conf.put("ballast.mode", mode);
    conf.put("ballast.place", "delegate");
    conf.put("ballast.native.path", System.getProperty("ballast.test.native"));
    conf.put("ballast.record.dir", rounds.toString());
    conf.put("ballast.period.secs", 1);
    conf.put("ballast.settle.rounds", 1);
    conf.put("ballast.load.young.secs", 6);
    conf.put("ballast.cooldown.secs", 6);
    conf.put("ballast.load.floor.cores", 0);
    conf.put("ballast.load.distance.max", 0.01);
    conf.put("ballast.gain.min", 0.001);
    return DemoCluster.start(conf, LIGHT, FlightsTopology.conf(30));
  }

  /** The placement by Storm's own scheduler, once all workers are up. */
  private static Reading placed(DemoCluster cluster) throws Exception {
    await().atMost(LIMIT).until(() -> cluster.read().allUpFor(1));
    return cluster.read();
  }

  private long answered() throws Exception {
    return recorded("-reply.json").size();
  }

  private List<Path> recorded(String kind) throws Exception {
    try (Stream<Path> files = Files.list(rounds)) {
      return files.filter(file -> file.toString().endsWith(kind)).sorted().toList();
    }
  }

  /** Nimbus answers, every worker is up, and tuple trees still come to their end. */
  private static void assertLives(DemoCluster cluster) throws Exception {
    assertEquals(DemoCluster.SUPERVISORS, cluster.capacityCores().size());
    await().atMost(LIMIT).until(() -> cluster.read().allUpFor(1));
    Reading now = cluster.read();
    await()
        .atMost(LIMIT)
        .until(
            () ->
                Measured.between(now, cluster.read(), cluster.capacityCores())
                    .filter(window -> window.flightsPerSec() > 0)
                    .isPresent());
  }
}
