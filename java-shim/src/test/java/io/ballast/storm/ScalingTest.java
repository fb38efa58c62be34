package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Advice on nodes and executors: what is remembered of it, what the engine is told, what is logged.
 */
class ScalingTest {
  private static final String NONE = scaling("none", true, 0, "", "", "low");

  private static String scaling(
      String verdict, boolean low, int nodes, String drain, String keep, String because) {
    return String.format(
        "{\"verdict\":\"%s\",\"peak\":0.2,\"mean\":0.1,\"low\":%b,\"nodes\":%d,\"drain\":[%s],"
            + "\"keep\":[%s],\"release\":[],\"parallelism\":[],\"because\":\"%s\"}",
        verdict, low, nodes, drain, keep, because);
  }

  /** Answers each planning round with the next of these, the last one for ever. */
  private static ScriptedEngine engine(String... scaling) {
    int[] round = {0};
    return new ScriptedEngine(
        request ->
            ScriptedEngine.reply(request, "unchanged", "[]", request.path("generation").asLong())
                .replace(
                    "\"notes\":[]",
                    "\"notes\":[],\"scaling\":"
                        + scaling[Math.min(round[0]++, scaling.length - 1)]));
  }

  private static JsonNode node(JsonNode request, String id) {
    for (JsonNode node : request.path("nodes")) {
      if (node.path("id").asText().equals(id)) {
        return node;
      }
    }
    throw new AssertionError(id + " is not in " + request);
  }

  private static List<String> told(Rig rig) {
    return rig.log.all().stream()
        .map(LogLines.Line::text)
        .filter(text -> text.startsWith("Ballast: "))
        .toList();
  }

  @Test
  void lowRoundsAreCountedInARowAndKeptWhileNothingIsKnown() {
    String busy = scaling("none", false, 0, "", "", "busy");
    String unknown = scaling("unknown", false, 0, "", "", "too few loads");
    ScriptedEngine engine = engine(NONE, NONE, unknown, NONE, "null", busy, NONE);
    int[] expected = {0, 1, 2, 2, 3, 3, 0};
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = States.running();
      for (int rounds : expected) {
        rig.round(state);
        rig.plan();
        assertEquals(rounds, engine.request.path("low_rounds").asInt(-1));
      }
    }
  }

  @Test
  void aDrainedNodeDrainsUntilItIsKept() {
    String drain = scaling("in", true, 0, "\"n2\"", "", "drain n2");
    String keep = scaling("out", false, 0, "", "\"n2\"", "keep n2");
    ScriptedEngine engine = engine(drain, NONE, keep, NONE);
    String[] expected = {"active", "draining", "draining", "active"};
    try (Rig rig = Rig.withEngine(engine).applies().set("scale.mode", "apply")) {
      ClusterBuilder state = States.running();
      for (String round : expected) {
        rig.round(state);
        rig.plan();
        JsonNode node = node(engine.request, "n2");
        assertEquals(round, node.path("state").asText());
        assertEquals(round.equals("draining"), node.path("scaled_in").asBoolean());
        assertEquals("active", node(engine.request, "n1").path("state").asText());
      }
    }
  }

  @Test
  void aDrainedNodeThatLeavesIsForgotten() {
    ScriptedEngine engine = engine(scaling("in", true, 0, "\"n2\"", "", "drain n2"), NONE);
    try (Rig rig = Rig.withEngine(engine).applies().set("scale.mode", "apply")) {
      ClusterBuilder state = States.running();
      rig.round(state);
      rig.plan();
      rig.round(state.lose("n2"));
      rig.round(state.node("n2", "h2", 6700));
      rig.plan();
      assertEquals("active", node(engine.request, "n2").path("state").asText());
    }
  }

  @Test
  void nothingDrainsWherePlansAreOnlyAdvised() {
    for (boolean scales : new boolean[] {true, false}) {
      ScriptedEngine engine = engine(scaling("in", true, 0, "\"n2\"", "", "drain n2"));
      try (Rig rig = Rig.withEngine(engine)) {
        if (scales) {
          rig.set("scale.mode", "apply");
        } else {
          rig.applies();
        }
        ClusterBuilder state = States.running();
        for (int i = 0; i < 2; i++) {
          rig.round(state);
          rig.plan();
        }
        assertEquals("active", node(engine.request, "n2").path("state").asText());
        String sent = engine.request.path("settings").path("scale.mode").asText("advise");
        assertEquals("advise", sent);
      }
    }
  }

  @Test
  void adviceIsToldWhenItChangesAndNotWhenItsFiguresDo() {
    ScriptedEngine engine =
        engine(
            scaling("out", false, 2, "", "", "peaks at 0.91: add 2 nodes of 4 cores"),
            scaling("out", false, 2, "", "", "peaks at 0.93: add 2 nodes of 4 cores"),
            scaling("out", false, 3, "", "", "peaks at 0.99: add 3 nodes of 4 cores"),
            NONE);
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = States.running();
      for (int i = 0; i < 5; i++) {
        rig.round(state);
        rig.plan();
      }
      List<String> told = told(rig).stream().filter(line -> line.contains("scaling")).toList();
      assertEquals(2, told.size(), told::toString);
      assertTrue(told.get(0).endsWith("scaling out: peaks at 0.91: add 2 nodes of 4 cores"));
      assertTrue(told.get(1).contains("add 3 nodes"), told::toString);
    }
  }

  @Test
  void adviceOnExecutorsNamesAFewComponentsAndIsNoNewsEachRound() {
    int[] round = {0};
    ScriptedEngine engine =
        new ScriptedEngine(
            request -> {
              StringBuilder advice = new StringBuilder();
              for (int at = 0; at < 5; at++) {
                advice
                    .append(at == 0 ? "" : ",")
                    .append("{\"topology\":\"t1\",\"component\":\"c")
                    .append(at)
                    .append("\",\"executors\":4,\"advised\":")
                    .append(6 + round[0])
                    .append(",\"tasks\":9,\"busy\":1.0,\"because\":\"busy\"}");
              }
              round[0]++;
              String scaling =
                  NONE.replace("\"parallelism\":[]", "\"parallelism\":[" + advice + "]");
              return ScriptedEngine.reply(
                      request, "unchanged", "[]", request.path("generation").asLong())
                  .replace("\"notes\":[]", "\"notes\":[],\"scaling\":" + scaling);
            });
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = States.running();
      for (int i = 0; i < 4; i++) {
        rig.round(state);
        rig.plan();
      }
      List<String> told = told(rig).stream().filter(l -> l.contains("executors: ")).toList();
      assertEquals(1, told.size(), told::toString);
      assertTrue(told.get(0).contains("6 instead of 4 for t1/c0 (busy)"), told::toString);
      assertTrue(told.get(0).endsWith(" and 2 more"), told::toString);
      assertFalse(told.get(0).contains("t1/c3"), told::toString);
    }
  }

  @Test
  void theRealEngineIsAskedForNodesItHasNot() {
    try (Rig rig = Rig.withEngine()) {
      ClusterBuilder state =
          ClusterBuilder.cluster()
              .node("n1", "h1", 6700, 6701, 6702, 6703)
              .topology("t1", 4)
              .executor(1, "a", 95)
              .at("n1", 6700)
              .executor(2, "a", 95)
              .at("n1", 6701)
              .executor(3, "a", 95)
              .at("n1", 6702)
              .executor(4, "a", 95)
              .at("n1", 6703);
      Reply reply = null;
      for (int i = 0; i < 5; i++) {
        rig.round(state);
        reply = rig.plan();
      }
      assertEquals("out", reply.scaling().verdict(), () -> "");
      assertTrue(reply.scaling().because().contains("add 1 node of 4 cores"));
    }
  }
}
