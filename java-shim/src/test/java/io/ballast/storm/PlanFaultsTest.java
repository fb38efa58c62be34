package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A plan waits, and the world goes on: it is carried out exactly as it was made, or not at all. */
class PlanFaultsTest {
  private static final String RELOCATION = "n1:6700 1 3, n3:6700 2 4";

  private static ClusterBuilder running() {
    return States.running().node("n3", "h3", 6700);
  }

  private static Rig rig(String workers) {
    return Rig.withEngine(ScriptedEngine.assigning(workers)).applies().set("place", "delegate");
  }

  @Test
  void aPlanIsAppliedOnceAndTouchesOnlyTheWorkerThatMoves() {
    try (Rig rig = rig(RELOCATION)) {
      ClusterBuilder state = running();
      Cluster before = rig.round(state);
      rig.plan();
      Cluster after = rig.round(state);
      assertEquals("{n1:6700=[1, 3], n3:6700=[2, 4]}", Rig.workers(after).get("t1").toString());
      assertEquals(1, Rig.restarts(before, after));
      assertEquals(
          before.getAssignmentById("t1").getScheduledResources().get(slot("n1", 6700)),
          after.getAssignmentById("t1").getScheduledResources().get(slot("n1", 6700)));
      assertEquals(List.of(), rig.log.troubles());
      assertTrue(
          rig.log.all().get(rig.log.all().size() - 1).text().contains("applied plan-scripted"),
          () -> "" + rig.log.all());
      Rig.assertSame(after, rig.round(state));
    }
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        drift("supervisor lost", RELOCATION, s -> s.lose("n3"), "node n3 is not in the cluster"),
        drift("supervisor blacklisted", RELOCATION, s -> s.blacklist("h3"), "n3 is blacklisted"),
        drift("port hidden", RELOCATION, s -> s.ports("n3"), "port 6700 of n3 is not offered"),
        drift("topology killed", RELOCATION, s -> s.kill("t1"), "topology t1 is gone"),
        drift(
            "slot taken by a topology just submitted",
            RELOCATION,
            s -> s.topology("new", 1).executor(1, "x", 5).at("n3", 6700),
            "n3:6700 is occupied by new"),
        drift("worker lost", RELOCATION, s -> s.homeless(2, 4), "was on n2:6700 and is nowhere"),
        drift(
            "executor moved by somebody else",
            RELOCATION,
            s -> s.worker("n1", 6701, 3),
            "executor [3, 3] of t1 was on n1:6700 and is on n1:6701"),
        drift("unknown executor", "n1:6700 1 3, n3:6700 2 4 9", s -> {}, "[9, 9] is unknown"),
        drift("executor forgotten", "n1:6700 1 3, n3:6700 2", s -> {}, "[4, 4] of t1 loses"));
  }

  private static Arguments drift(
      String name, String plan, Consumer<ClusterBuilder> change, String said) {
    return Arguments.of(name, plan, change, said);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aPlanThatNoLongerFitsIsRefused(
      String name, String plan, Consumer<ClusterBuilder> change, String said) {
    try (Rig rig = rig(plan)) {
      ClusterBuilder state = running();
      rig.round(state);
      rig.plan();
      change.accept(state);
      Cluster expected = Rig.stock(state);
      Cluster actual = rig.round(state);
      Rig.assertSame(expected, actual);
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      String line = rig.log.troubles().get(0);
      assertTrue(line.contains("plan plan-scripted was not applied: "), line);
      assertTrue(line.contains(said), line);
    }
  }

  @Test
  void aPlanThatIsTooOldIsRefused() {
    try (Rig rig = rig(RELOCATION)) {
      ClusterBuilder state = running();
      Cluster before = rig.round(state);
      rig.plan();
      rig.ticker.advance(61);
      Rig.assertSame(before, rig.round(state));
      assertTrue(rig.log.troubles().get(0).contains("expired"), () -> "" + rig.log.troubles());
    }
  }

  @Test
  void inModeAdviseNothingIsAppliedAndTheStatusSaysWhatWouldBe() {
    try (Rig rig = Rig.withEngine(ScriptedEngine.assigning(RELOCATION)).set("place", "delegate")) {
      ClusterBuilder state = running();
      Cluster before = rig.round(state);
      rig.plan();
      Cluster after = rig.round(state);
      Rig.assertSame(before, after);
      assertTrue(after.getStatus("t1").startsWith("Ballast advises"), () -> after.getStatus("t1"));
    }
  }

  private static org.apache.storm.scheduler.WorkerSlot slot(String node, int port) {
    return new org.apache.storm.scheduler.WorkerSlot(node, port);
  }
}
