package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a plan foretold is held against what came of it, once that can be known, and not before. */
class OutcomeWatchTest {
  private static final String MEASURED = "\"before\":{\"load_distance\":0.13}";

  @TempDir Path folder;

  /** An engine that plans once and then finds the cluster at a load distance of 0.13. */
  private static ScriptedEngine once() {
    boolean[] planned = {false};
    return new ScriptedEngine(
        request -> {
          if (!planned[0]) {
            planned[0] = true;
            return ScriptedEngine.plan(request, "t1", "n1:6700 1 3, n3:6700 2 4");
          }
          return ScriptedEngine.reply(
                  request, "unchanged", "[]", request.path("generation").asLong())
              .replace("\"before\":{\"load_distance\":0.4}", MEASURED);
        });
  }

  private Rig rig(ScriptedEngine engine) {
    return Rig.withEngine(engine)
        .applies()
        .set("place", "delegate")
        .set("record.dir", folder.toString());
  }

  private static ClusterBuilder running() {
    return States.running().node("n3", "h3", 6700);
  }

  /** A planning round in which the moved worker is up this long. */
  private static void look(Rig rig, ClusterBuilder state, double uptimeSecs) {
    rig.round(state.uptime(uptimeSecs, 2, 4));
    rig.plan();
  }

  @Test
  void theOutcomeIsToldOnceTheLoadsOfRestartedWorkersCount() throws IOException {
    ScriptedEngine engine = once();
    try (Rig rig = rig(engine)) {
      ClusterBuilder state = running();
      rig.round(state);
      rig.plan();
      // Applied at 10 s; what is known of the worker is still of the process before.
      look(rig, state, 3600);
      // Read at 30, 40 and 50 s: the process is seen to have started at 23, 22 and 25 s.
      look(rig, state, 7);
      look(rig, state, 18);
      look(rig, state, 25);
      assertEquals(List.of(), outcomes());
      assertFalse(engine.request.path("settings").has("cost.pause.secs"));
      rig.ticker.advance(30);
      look(rig, state, 61);
      assertEquals(1, outcomes().size());
      JsonNode outcome = Wire.object(Files.readAllBytes(outcomes().get(0)));
      assertEquals("outcome", outcome.path("ballast").asText());
      assertEquals("plan-scripted", outcome.path("plan").asText());
      assertEquals("2026-11-30T00:00:10Z", outcome.path("applied_at").asText());
      assertEquals("2026-11-30T00:01:30Z", outcome.path("measured_at").asText());
      assertEquals(0.1, outcome.path("load_distance_predicted").asDouble());
      assertEquals(0.13, outcome.path("load_distance_measured").asDouble());
      assertEquals(
          "[{\"node\":\"n3\",\"port\":6700,\"pause_secs\":12.0}]",
          outcome.path("workers").toString());
      assertEquals(
          1,
          rig.log.all().stream()
              .filter(
                  line ->
                      line.text()
                          .equals(
                              "Ballast: plan-scripted foretold load distance 0.100, measured is"
                                  + " 0.130; 1 of 1 restarted workers seen back after 12 s in the"
                                  + " mean, 12 s at most"))
              .count(),
          () -> rig.log.all().toString());
      // Learned: the next plan counts with it. Told once.
      look(rig, state, 71);
      assertEquals(12.0, engine.request.path("settings").path("cost.pause.secs").asDouble());
      assertEquals(1, outcomes().size());
    }
  }

  @Test
  void thePauseThatTheOperatorTellsIsNotLearned() {
    ScriptedEngine engine = once();
    try (Rig rig = rig(engine).set("cost.pause.secs", 33)) {
      ClusterBuilder state = running();
      rig.round(state);
      rig.plan();
      look(rig, state, 3600);
      rig.ticker.advance(80);
      look(rig, state, 61);
      look(rig, state, 71);
      assertEquals(33, engine.request.path("settings").path("cost.pause.secs").asInt());
    }
  }

  /** A load from before the plan is what the plan went by: held against it, it is always right. */
  @Test
  void whatWasUsualBeforeThePlanIsNoOutcome() throws IOException {
    try (Rig rig = rig(once())) {
      ClusterBuilder state = running();
      rig.round(state);
      rig.plan();
      look(rig, state, 3600);
      rig.ticker.advance(80);
      look(rig, state.source("history", 4), 70);
      assertEquals(List.of(), outcomes());
      rig.ticker.advance(240);
      look(rig, state.source("hook", 4), 310);
      assertEquals(1, outcomes().size());
    }
  }

  static Stream<Arguments> ends() {
    return Stream.of(
        end("its topology is killed", state -> state.kill("t1").topology("t2", 1)),
        end("somebody moves a worker of it", state -> state.worker("n1", 6701, 1, 3)),
        end("its worker has no home", state -> state.homeless(2, 4)));
  }

  private static Arguments end(String name, Consumer<ClusterBuilder> change) {
    return Arguments.of(name, change);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ends")
  void aPlanWhoseDoingItIsNoMoreHasNoOutcome(String name, Consumer<ClusterBuilder> change)
      throws IOException {
    try (Rig rig = rig(once())) {
      ClusterBuilder state = running();
      rig.round(state);
      rig.plan();
      look(rig, state, 3600);
      change.accept(state);
      rig.round(state);
      rig.plan();
      rig.ticker.advance(100);
      look(rig, state, 100);
      assertEquals(List.of(), outcomes(), name);
      assertTrue(rig.log.troubles().isEmpty(), () -> rig.log.troubles().toString());
    }
  }

  private List<Path> outcomes() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith("-outcome.json")).sorted().toList();
    }
  }
}
