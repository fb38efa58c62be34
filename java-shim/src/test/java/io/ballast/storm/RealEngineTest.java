package io.ballast.storm;

import static io.ballast.storm.ClusterBuilder.cluster;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;

/** The whole path with the engine that cargo built: snapshot, JNI, plan, cluster. */
class RealEngineTest {
  private static ClusterBuilder twoNodes() {
    return cluster()
        .node("n1", "h1", 6700, 6701)
        .node("n2", "h2", 6700, 6701)
        .topology("t1", 2)
        .executor(1, "a", 50)
        .executor(2, "a", 50)
        .executor(3, "b", 50)
        .executor(4, "b", 50);
  }

  @Test
  void homelessExecutorsArePlacedByTheEngine() {
    ClusterBuilder state = twoNodes();
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
    ClusterBuilder state = twoNodes().worker("n1", 6700, 1, 3).worker("n2", 6700, 2, 4);
    try (Rig rig = Rig.withEngine()) {
      Cluster before = state.build();
      Cluster after = rig.round(state);
      Reply reply = rig.plan();
      assertNotNull(reply, "the engine was not asked");
      assertTrue(reply.target().isEmpty());
      Rig.assertSame(before, after);
      assertEquals(
          Map.of("t1", Map.of("n1:6700", Set.of(1, 3), "n2:6700", Set.of(2, 4))),
          Rig.workers(after));
      assertEquals(List.of(), rig.log.troubles());
    }
  }
}
