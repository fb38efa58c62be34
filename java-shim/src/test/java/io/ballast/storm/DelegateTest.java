package io.ballast.storm;

import static io.ballast.storm.ClusterBuilder.cluster;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.resource.ResourceAwareScheduler;
import org.junit.jupiter.api.Test;

/** The delegate beside the engine: it serves what is opted out, and nothing else. */
class DelegateTest {
  /** Field case A06: Storm's own scheduler would restart both workers of t1 to grow it. */
  private static ClusterBuilder growing() {
    ClusterBuilder state =
        cluster().node("n1", "h1", 6700, 6701).node("n2", "h2", 6700, 6701).topology("t1", 4);
    for (int task = 1; task <= 8; task++) {
      state.executor(task, "a", 50).at(task % 2 == 1 ? "n1" : "n2", 6700);
    }
    return state;
  }

  private static ClusterBuilder withOptedOut() {
    return growing()
        .topology("out", 1)
        .conf(TopologyFacts.ENABLED, "false")
        .spout("x")
        .executor(1, "x", 5)
        .executor(2, "x", 5);
  }

  @Test
  void aTopologyThatOptedOutIsPlacedByTheDelegateAndTheOthersAreNotDealtAnew() {
    ScriptedEngine engine = new ScriptedEngine(r -> "must not be asked");
    try (Rig rig = Rig.withEngine(engine).applies()) {
      Cluster after = rig.round(withOptedOut());
      assertEquals(
          Map.of("n1:6700", Set.of(1, 3, 5, 7), "n2:6700", Set.of(2, 4, 6, 8)),
          Rig.workers(after).get("t1"));
      Map<String, Set<Integer>> out = Rig.workers(after).get("out");
      assertEquals(1, out.size(), out::toString);
      assertEquals(Set.of(1, 2), out.values().iterator().next());
      assertEquals(0, engine.asked.get());
    }
  }

  @Test
  void aResourceAwareDelegateServesWhatOptedOutAndKeepsOffTheRest() {
    ScriptedEngine engine = new ScriptedEngine(r -> "must not be asked");
    try (Rig rig =
        Rig.withEngine(engine)
            .applies()
            .set("delegate.scheduler", ResourceAwareScheduler.class.getName())) {
      ClusterBuilder state = withOptedOut();
      for (String node : new String[] {"n1", "n2"}) {
        state.of(node).memory(8192);
      }
      Cluster after = rig.round(state);
      assertEquals(
          Map.of("n1:6700", Set.of(1, 3, 5, 7), "n2:6700", Set.of(2, 4, 6, 8)),
          Rig.workers(after).get("t1"));
      assertEquals(
          2, after.getAssignmentById("out").getExecutors().size(), rig.log.all()::toString);
      assertTrue(after.getStatus("out").startsWith("Running - Fully Scheduled"));
      assertEquals(List.of(), rig.log.troubles());
      assertEquals(0, engine.asked.get());
    }
  }

  @Test
  void inModeAdviseGrowthIsStormsOwn() {
    try (Rig rig = Rig.withEngine(new ScriptedEngine(r -> "must not be asked"))) {
      Rig.assertSame(Rig.stock(growing()), rig.round(growing()));
    }
  }

  @Test
  void aSteadyRoundMakesNoCallUnderTheLockAndSetsNoStatus() {
    ScriptedEngine engine = new ScriptedEngine(r -> "must not be asked");
    try (Rig rig = Rig.withEngine(engine).applies()) {
      Cluster after = rig.round(States.running());
      Rig.assertSame(States.running().build(), after);
      assertEquals(0, engine.asked.get());
      assertNull(after.getStatus("t1"));
    }
  }

  @Test
  void withPlaceDelegateTheDelegateServesAll() {
    ScriptedEngine engine = new ScriptedEngine(r -> "must not be asked");
    try (Rig rig = Rig.withEngine(engine).applies().set("place", "delegate")) {
      Rig.assertSame(Rig.stock(withOptedOut()), rig.round(withOptedOut()));
      assertEquals(0, engine.asked.get());
    }
  }
}
