package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Test;

/**
 * Field case D14, what a move really costs, in its variant: the states are Storm's default, in the
 * worker's memory. Node n1 has bolts {@code a} and {@code b} with a state and {@code c} without in
 * one worker, n2 has {@code d} alone. Whatever leaves n1, its worker restarts, and the states of
 * {@code a} and {@code b} with it are lost.
 */
class StateLostTest {
  private static StormTopology built() {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("words", new TestWordSpout(), 1);
    for (String stateful : List.of("a", "b")) {
      builder
          .setBolt(stateful, new StatefulTopologies.CountBolt(), 1)
          .fieldsGrouping("words", new Fields("word"));
    }
    for (String stateless : List.of("c", "d")) {
      builder.setBolt(stateless, new TestWordCounter(), 1).shuffleGrouping("words");
    }
    return builder.createTopology();
  }

  static ClusterBuilder state() {
    return ClusterBuilder.cluster()
        .node("n1", "h1", 6700, 6701)
        .capacity(200)
        .node("n2", "h2", 6700, 6701)
        .capacity(200)
        .topology("t1", 2)
        .built(built())
        .executor(1, "a", 50)
        .executor(2, "b", 50)
        .executor(3, "c", 50)
        .executor(4, "d", 50)
        .worker("n1", 6700, 1, 2, 3)
        .worker("n2", 6700, 4);
  }

  @Test
  void theEngineIsToldThatTheStatesDoNotSurviveAndItsWarningIsLoggedWithThePlan() {
    String note = "{\"code\":\"state-lost\",\"detail\":\"a restart loses 2 states of t1\"}";
    ScriptedEngine engine =
        new ScriptedEngine(
            request ->
                ScriptedEngine.plan(request, "t1", "n1:6700 1 2, n2:6700 3 4")
                    .replace("\"notes\":[]", "\"notes\":[" + note + "]"));
    try (Rig rig = Rig.withEngine(engine).applies()) {
      ClusterBuilder state = state();
      rig.round(state);
      rig.plan();
      JsonNode topology = engine.request.path("topologies").path(0);
      assertEquals("false", topology.path("state_survives").asText());
      assertEquals(
          List.of("a", "b"),
          topology.path("components").findParents("stateful").stream()
              .map(component -> component.path("id").asText())
              .toList());
      rig.round(state);
      assertEquals(List.of("applied"), told(rig, "state-lost (a restart loses 2 states of t1)"));
    }
  }

  @Test
  void withAProviderThatKeepsThemThereIsNothingToSay() {
    ScriptedEngine engine = ScriptedEngine.assigning("n1:6700 1 2 3, n2:6700 4");
    try (Rig rig = Rig.withEngine(engine)) {
      String redis = "org.apache.storm.redis.state.RedisKeyValueStateProvider";
      rig.round(state().conf(Config.TOPOLOGY_STATE_PROVIDER, redis));
      rig.plan();
      JsonNode topology = engine.request.path("topologies").path(0);
      assertTrue(topology.path("state_survives").isMissingNode(), topology::toString);
      assertEquals(2, topology.path("components").findParents("stateful").size());
    }
  }

  @Test
  void theRealEngineSaysWhatThePlansRestartsLose() {
    try (Rig rig = Rig.withEngine().applies()) {
      ClusterBuilder state = state();
      rig.round(state);
      rig.plan();
      rig.round(state);
      assertEquals(
          List.of("no"),
          told(rig, "state-lost (a restart would lose the state of t1/a [1, 1], t1/b [2, 2]"),
          () -> "" + rig.log.all());
      for (int i = 0; i < 3; i++) {
        rig.plan();
        rig.round(state);
      }
      assertEquals(
          List.of("applied"),
          told(rig, "state-lost (this plan's restarts lose the state of t1/a [1, 1], t1/b [2, 2]"),
          () -> "" + rig.log.all());
      assertNull(rig.scheduler.parts().advice().of("t1"), "no copies of what does not survive");
    }
  }

  /** What Ballast's lines that hold this text begin with. */
  private static List<String> told(Rig rig, String text) {
    return rig.log.all().stream()
        .map(LogLines.Line::text)
        .filter(line -> line.startsWith("Ballast: ") && line.contains(text))
        .map(line -> line.split(" ")[1])
        .toList();
  }
}
