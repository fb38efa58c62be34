package io.ballast.storm;

import static io.ballast.storm.ClusterBuilder.cluster;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;

/** Measured, planned by the engine, applied to the cluster: the product's whole circle. */
class EndToEndTest {
  /** Field case A01: a supervisor came back and stays empty on stock Storm. */
  private static ClusterBuilder returned() {
    ClusterBuilder state =
        cluster()
            .node("sA", "h1", 6700, 6701, 6702, 6703)
            .node("sB", "h2", 6700, 6701, 6702, 6703)
            .node("sC", "h3", 6700, 6701, 6702, 6703)
            .topology("t1", 6);
    for (int task = 1; task <= 12; task++) {
      state.executor(task, "a", 50).at(task <= 6 ? "sA" : "sB", 6700 + (task - 1) % 6 / 2);
    }
    return state;
  }

  @Test
  void theReturnedSupervisorIsUsedAndOnlyTwoWorkersRestart() {
    ClusterBuilder state = returned();
    Cluster before = state.build();
    try (Rig rig = Rig.withEngine().applies().set("budget.restarts", 2)) {
      for (int round = 0; round < 2; round++) {
        Rig.assertSame(before, rig.round(state));
        assertEquals("unchanged", rig.plan().verdict(), "moved before it was settled");
      }
      Rig.assertSame(before, rig.round(state));
      assertFalse(rig.plan().target().isEmpty(), "no plan although everything has settled");
      Cluster after = rig.round(state);
      assertEquals(Map.of("sA", 200.0, "sB", 200.0, "sC", 200.0), Rig.points(state, after));
      assertEquals(2, Rig.restarts(before, after));
      assertEquals(List.of(), rig.log.troubles());
      rig.plan();
      Rig.assertSame(after, rig.round(state));
    }
  }
}
