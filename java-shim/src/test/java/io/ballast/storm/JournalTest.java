package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stands in Nimbus's log and in Storm UI: new things once, and nothing else. */
class JournalTest {
  private static final String NOTE =
      "\"notes\":[{\"code\":\"balanced\",\"detail\":\"load distance 0.0%d\"}]";

  @Test
  void aReasonIsToldOnceHoweverItsFiguresChange() {
    int[] round = {0};
    ScriptedEngine engine =
        new ScriptedEngine(
            request ->
                ScriptedEngine.reply(
                        request, "unchanged", "[]", request.path("generation").asLong())
                    .replace("\"notes\":[]", String.format(NOTE, ++round[0])));
    try (Rig rig = Rig.withEngine(engine).applies()) {
      ClusterBuilder state = States.running();
      for (int i = 0; i < 5; i++) {
        var cluster = rig.round(state);
        if (i == 1) {
          assertEquals(
              "Ballast moves nothing: balanced (load distance 0.01)", cluster.getStatus("t1"));
        }
        rig.plan();
      }
      List<String> told =
          rig.log.all().stream()
              .map(LogLines.Line::text)
              .filter(text -> text.startsWith("Ballast: "))
              .toList();
      assertEquals(List.of("Ballast: no move: balanced (load distance 0.01)"), told);
    }
  }

  @Test
  void whatDecidedStandsFirstAndHowExecutorsWereWeighedNowhere() {
    String notes =
        "\"notes\":[{\"code\":\"cooldown\",\"detail\":\"t1\"},"
            + "{\"code\":\"load-requested\",\"detail\":\"2 executors\"},"
            + "{\"code\":\"no-better-plan\",\"detail\":\"load distance 0.2 stays\"}]";
    ScriptedEngine engine =
        new ScriptedEngine(
            request ->
                ScriptedEngine.reply(
                        request, "unchanged", "[]", request.path("generation").asLong())
                    .replace("\"notes\":[]", notes));
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = States.running();
      rig.round(state);
      rig.plan();
      assertEquals(
          "Ballast moves nothing: no-better-plan (load distance 0.2 stays), cooldown (t1)",
          rig.round(state).getStatus("t1"));
    }
  }

  @Test
  void theLineOfAPlanNamesItsTopologiesItsPriceAndItsReason() {
    Reply.Move relocated =
        new Reply.Move("t1", "relocate-worker", "n1:6700", "n2:6700", "0.80 cores leave node n1");
    Reply reply =
        new Reply(
            "plan-1",
            60,
            "improved",
            Target.of(Map.of()),
            List.of(relocated),
            1,
            0.2,
            0.0,
            true,
            null,
            Advice.NONE,
            List.of(),
            null);
    assertEquals(
        "plan-1: 1 × relocate-worker of t1, load distance 0.200 to 0.000, 1 worker restart,"
            + " because 0.80 cores leave node n1",
        Sentences.plan(reply));
  }

  @Test
  void theSameAdviceUnderAnotherPlanIdIsNoNews() {
    int[] round = {0};
    ScriptedEngine engine =
        new ScriptedEngine(
            request ->
                ScriptedEngine.plan(request, "t1", "n1:6700 1 3, n2:6701 2 4")
                    .replace("plan-scripted", "plan-" + ++round[0]));
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state = States.running();
      for (int i = 0; i < 4; i++) {
        rig.round(state);
        rig.plan();
      }
      assertEquals(4, round[0]);
      List<LogLines.Line> told =
          rig.log.all().stream().filter(l -> l.text().startsWith("Ballast: advises")).toList();
      assertEquals(1, told.size(), told::toString);
      assertTrue(told.get(0).text().contains("plan-1"), told::toString);
    }
  }

  @Test
  void anOptOutThatIsNeitherTrueNorFalseIsToldOnce() {
    try (Rig rig = Rig.withEngine(new ScriptedEngine(r -> "must not be asked"))) {
      ClusterBuilder state = States.running().conf(TopologyFacts.ENABLED, "nope");
      for (int i = 0; i < 3; i++) {
        rig.round(state);
      }
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      assertTrue(
          rig.log.troubles().get(0).contains("topology.ballast.enabled of t1 is nope"),
          () -> "" + rig.log.troubles());
    }
  }

  @Test
  void anOptedOutTopologyGetsNoStatusFromUs() {
    ScriptedEngine engine = ScriptedEngine.assigning("n1:6700 1 3, n2:6701 2 4");
    try (Rig rig = Rig.withEngine(engine)) {
      ClusterBuilder state =
          States.running()
              .topology("out", 1)
              .conf(TopologyFacts.ENABLED, false)
              .executor(1, "x", 5)
              .at("n1", 6701);
      rig.round(state);
      rig.plan();
      var cluster = rig.round(state);
      assertEquals(null, cluster.getStatus("out"));
      assertTrue(cluster.getStatus("t1").startsWith("Ballast advises"));
    }
  }
}
