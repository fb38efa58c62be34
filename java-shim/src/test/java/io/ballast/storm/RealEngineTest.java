package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;

/** The whole path with the engine that cargo built: snapshot, JNI, plan, cluster. */
class RealEngineTest {
  @Test
  void homelessExecutorsArePlacedByTheEngine() {
    ClusterBuilder state = States.submitted();
    try (Rig rig = Rig.withEngine()) {
      Cluster after = rig.round(state);
      assertEquals(List.of(), rig.log.troubles());
      assertEquals(4, after.getAssignmentById("t1").getExecutors().size());
      assertTrue(
          rig.log.all().stream().anyMatch(l -> l.text().contains("placed plan-")),
          () -> "no placement by the engine in " + rig.log.all());
    }
  }

  @Test
  void aPlacedClusterStaysAsItIs() {
    ClusterBuilder state = States.running();
    try (Rig rig = Rig.withEngine()) {
      Cluster before = state.build();
      Cluster after = rig.round(state);
      Reply reply = rig.plan();
      assertNotNull(reply, "the engine was not asked");
      assertTrue(reply.target().isEmpty());
      Rig.assertSame(before, after);
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void aSettingThatIsNotUnderstoodKeepsBallastInAdviseMode() {
    ClusterBuilder state = States.running();
    try (Rig rig = Rig.withEngine().applies().set("budget.restart", 2).set("overload", "much")) {
      rig.round(state);
      List<String> lines = rig.log.troubles();
      assertEquals(2, lines.size(), lines::toString);
      assertTrue(lines.get(0).contains("ballast.budget.restart"), lines::toString);
      assertTrue(lines.get(0).contains("budget.restarts"), lines::toString);
      assertTrue(lines.get(1).contains("ballast.overload"), lines::toString);
      assertTrue(
          rig.log.all().stream().anyMatch(l -> l.text().contains("mode advise")),
          () -> "" + rig.log.all());
      assertNotNull(rig.plan(), "a flawed setting must not reach a request");
    }
  }
}
