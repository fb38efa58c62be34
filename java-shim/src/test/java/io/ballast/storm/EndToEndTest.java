package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;

/** Measured, planned by the engine, applied to the cluster: the product's whole circle. */
class EndToEndTest {
  @Test
  void theReturnedSupervisorIsUsedAndOnlyTwoWorkersRestart() {
    ClusterBuilder state = States.returned();
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
