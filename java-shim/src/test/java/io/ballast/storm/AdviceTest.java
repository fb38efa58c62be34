package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Test;

/** Advice on copies of states: what of it goes back to the engine, and what is logged. */
class AdviceTest {
  private static final String FIRST = "t1 2 n2 n3, t1 3 n3 n1";

  /** Answers each planning round with the next of these, the last one for ever. */
  private static ScriptedEngine engine(List<Function<JsonNode, String>> replies) {
    int[] round = {0};
    return new ScriptedEngine(
        request -> replies.get(Math.min(round[0]++, replies.size() - 1)).apply(request));
  }

  private static ScriptedEngine advising(String... rounds) {
    List<Function<JsonNode, String>> replies = new ArrayList<>();
    for (String replicas : rounds) {
      replies.add(request -> ScriptedEngine.advising(request, "[]", replicas));
    }
    return engine(replies);
  }

  /** The copies that the newest request tells of: first task, node and slot of each. */
  private static List<String> copies(ScriptedEngine engine, int topology) {
    List<String> copies = new ArrayList<>();
    for (JsonNode copy : engine.request.path("topologies").path(topology).path("checkpoints")) {
      copies.add(
          copy.path("executor").path(0).asInt()
              + " "
              + copy.path("node").asText()
              + " "
              + copy.path("slot").asInt(-1));
    }
    return copies;
  }

  private static void rounds(Rig rig, ClusterBuilder state, int rounds) {
    for (int i = 0; i < rounds; i++) {
      rig.round(state);
      rig.plan();
    }
  }

  private static List<String> told(Rig rig) {
    return rig.log.all().stream()
        .map(LogLines.Line::text)
        .filter(text -> text.contains("copies advised"))
        .toList();
  }

  @Test
  void aRequestTellsWhichComponentsKeepAStateThatIsLost() {
    ScriptedEngine engine = advising(FIRST);
    try (Rig rig = Rig.withEngine(engine)) {
      rounds(rig, StatefulTopologies.running().topology("u", 1), 1);
      JsonNode topology = engine.request.path("topologies").path(0);
      assertEquals("false", topology.path("state_survives").asText());
      List<String> stateful = new ArrayList<>();
      for (JsonNode component : topology.path("components")) {
        if (component.path("stateful").asBoolean()) {
          stateful.add(component.path("id").asText());
        }
      }
      assertEquals(List.of("count"), stateful);
      JsonNode other = engine.request.path("topologies").path(1);
      assertEquals("u", other.path("id").asText());
      assertTrue(other.path("state_survives").isMissingNode(), other::toString);
    }
  }

  @Test
  void theNewestAdviceIsWhereCopiesLieAndNoMissingFigureIsZero() {
    ScriptedEngine engine = advising(FIRST, "t1 2 n3 n2, t1 3 n1");
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = StatefulTopologies.running();
      rounds(rig, state, 1);
      assertEquals(List.of(), copies(engine, 0), "nothing is known before the first advice");
      rounds(rig, state, 1);
      assertEquals(List.of("2 n2 0", "2 n3 1", "3 n3 0", "3 n1 1"), copies(engine, 0));
      JsonNode copy = engine.request.path("topologies").path(0).path("checkpoints").path(2);
      assertEquals(3000, copy.path("bytes").asInt());
      assertTrue(copy.path("delta_bytes").isMissingNode(), copy::toString);
      assertEquals("false", copy.path("held").asText());
      rounds(rig, state, 1);
      assertEquals(List.of("2 n3 0", "2 n2 1", "3 n1 0"), copies(engine, 0));
    }
  }

  @Test
  void copiesAreHeldOnlyWhereTheOperatorSaysSo() {
    ScriptedEngine engine = advising(FIRST);
    try (Rig rig = Rig.withEngine(engine).set("checkpoint.held", true)) {
      rounds(rig, StatefulTopologies.running(), 2);
      for (JsonNode copy : engine.request.path("topologies").path(0).path("checkpoints")) {
        assertEquals("true", copy.path("held").asText());
      }
      assertEquals(4, copies(engine, 0).size());
    }
  }

  @Test
  void aPlacementKnowsTheCopiesToo() {
    ScriptedEngine engine = advising(FIRST);
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = StatefulTopologies.running();
      rounds(rig, state, 1);
      rig.round(state.homeless(3));
      assertEquals("place", engine.request.path("ask").asText());
      assertEquals(4, copies(engine, 0).size());
    }
  }

  @Test
  void executorsThatARebalanceDidAwayWithHaveNoCopies() {
    ScriptedEngine engine = advising(FIRST);
    try (Rig rig = Rig.withEngine(engine)) {
      rounds(rig, StatefulTopologies.running(), 1);
      StormTopology built = StatefulTopologies.counting().createTopology();
      ClusterBuilder rebalanced =
          ClusterBuilder.cluster()
              .node("n1", "h1", 6700)
              .topology("t1", 1)
              .built(built)
              .executor(2, "count", 40)
              .executor(3, 4, "count", 40)
              .worker("n1", 6700, 2, 3);
      rounds(rig, rebalanced, 1);
      assertEquals(List.of("2 n2 0", "2 n3 1"), copies(engine, 0));
    }
  }

  @Test
  void aTopologyThatIsGoneIsForgotten() {
    ScriptedEngine engine = advising(FIRST);
    try (Rig rig = Rig.withEngine(engine)) {
      rounds(rig, StatefulTopologies.running(), 1);
      rig.round(States.running().kill("t1"));
      rig.round(StatefulTopologies.running());
      rig.plan();
      assertEquals(List.of(), copies(engine, 0));
    }
  }

  @Test
  void whatTheAdviceNoLongerNamesIsForgottenButARefusalSaysNothing() {
    ScriptedEngine engine =
        engine(
            List.of(
                request -> ScriptedEngine.advising(request, "[]", FIRST),
                request ->
                    ScriptedEngine.reply(
                        request, "refused", "[]", request.path("generation").asLong()),
                request -> ScriptedEngine.advising(request, "[]", "t1 3 n3"),
                request ->
                    ScriptedEngine.reply(
                        request, "unchanged", "[]", request.path("generation").asLong())));
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = StatefulTopologies.running();
      rounds(rig, state, 3);
      assertEquals(4, copies(engine, 0).size(), "after a refusal");
      rounds(rig, state, 1);
      assertEquals(List.of("3 n3 0"), copies(engine, 0));
      rounds(rig, state, 1);
      assertEquals(List.of(), copies(engine, 0));
    }
  }

  /** Executor 2 swaps places with its copy on n2, as the plan wants; 3 stays. */
  private static ScriptedEngine moving(int from, String before, String after) {
    int[] round = {0};
    return new ScriptedEngine(
        request -> {
          boolean moves = round[0]++ >= from;
          String workers = "n2:6701 1 2, n2:6700 3 5, n3:6700 4";
          String assignments =
              Wire.object(bytes(ScriptedEngine.plan(request, "t1", workers)))
                  .path("assignments")
                  .toString();
          return ScriptedEngine.advising(
              request, moves ? assignments : "[]", moves ? after : before);
        });
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void adviceForAfterAPlanWaitsUntilThePlanIsApplied() {
    ScriptedEngine engine = moving(1, FIRST, "t1 2 n1 n3, t1 3 n1 n3");
    try (Rig rig = Rig.withEngine(engine).applies()) {
      ClusterBuilder state = StatefulTopologies.running();
      rounds(rig, state, 2);
      AdviceMemory memory = rig.scheduler.parts().advice();
      assertEquals("[n2, n3] [n1, n3]", places(memory), "before");
      rig.round(state);
      assertEquals("[n1, n3] [n1, n3]", places(memory), "applied");
    }
  }

  @Test
  void adviceForAPlanThatIsNeverAppliedKeepsToWhereExecutorsAre() {
    ScriptedEngine engine = moving(0, "", "t1 2 n1 n3, t1 3 n1 n3");
    try (Rig rig = Rig.withEngine(engine)) {
      rounds(rig, StatefulTopologies.running(), 3);
      assertEquals("[n3] [n1, n3]", places(rig.scheduler.parts().advice()), "n1 has 2 itself");
    }
  }

  private static String places(AdviceMemory memory) {
    List<String> places = new ArrayList<>();
    for (TopologyAdvice.State state : memory.of("t1").states()) {
      places.add(state.copies().stream().map(TopologyAdvice.Node::id).toList().toString());
    }
    return String.join(" ", places);
  }

  @Test
  void adviceIsLoggedWhenItChangesOneLineATopology() {
    ScriptedEngine engine =
        advising(FIRST, FIRST, FIRST + ", u 1 n2", "t1 2 n2 n3, t1 3 n3, u 1 n2");
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = StatefulTopologies.running();
      state.topology("u", 1).executor(1, "x", 5).at("n1", 6701);
      rounds(rig, state, 6);
      List<String> told = told(rig);
      assertEquals(3, told.size(), told::toString);
      assertEquals(
          "Ballast: copies advised for t1: 2 states with 2 copies each, 2 sizes estimated; the loss"
              + " of a node leaves one at 0.631 at worst, no copies anywhere make it less than 0.628",
          told.get(0));
      assertTrue(told.get(1).contains("for u: 1 state with 2 copies each, 1 with fewer"));
      assertTrue(told.get(2).contains("for t1: 2 states with 2 copies each, 1 with fewer"));
    }
  }

  @Test
  void nodesSayWhatTheyHaveRoomFor() {
    ScriptedEngine engine = advising(FIRST);
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = StatefulTopologies.running();
      state.of("n1").meta(CheckpointRoom.STORAGE, " 8192.5 ").meta(CheckpointRoom.NETWORK, "0");
      state.of("n2").meta(CheckpointRoom.STORAGE, "8 GB").meta(CheckpointRoom.NETWORK, "-1");
      state.of("n3").meta("other", "1");
      rounds(rig, state, 3);
      JsonNode nodes = engine.request.path("nodes");
      assertEquals(8192.5, nodes.path(0).path("checkpoint_storage_mib").asDouble(-1));
      assertEquals(0.0, nodes.path(0).path("checkpoint_network_mib").asDouble(-1));
      for (int at = 1; at < 3; at++) {
        assertFalse(nodes.path(at).has("checkpoint_storage_mib"), nodes::toString);
        assertFalse(nodes.path(at).has("checkpoint_network_mib"), nodes::toString);
      }
      List<String> warned = rig.log.troubles();
      assertEquals(2, warned.size(), warned::toString);
      assertTrue(warned.get(0).contains("ballast.checkpoint.storage.mib = 8 GB"), warned::toString);
      assertTrue(warned.get(0).contains("supervisor n2 on h2"), warned::toString);
      assertTrue(warned.get(1).contains("ballast.checkpoint.network.mib = -1"), warned::toString);
      rounds(rig, state.of("n2").meta(CheckpointRoom.STORAGE, "9 GB"), 1);
      assertEquals(3, rig.log.troubles().size(), "another wrong value is news");
    }
  }
}
