package io.ballast.storm;

import static io.ballast.storm.ClusterBuilder.cluster;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;

/**
 * Faults that people who run Storm have reported, as small clusters of real Storm classes with a
 * checkable right answer, through the scheduler and the engine that cargo built. What depends on
 * the engine alone stands in Rust, {@code tests/field_cases}; the letters are the same.
 */
class FieldCasesTest {
  /** Plans are applied from the first round on; no pause between two. */
  private static Rig eager() {
    return Rig.withEngine().applies().set("settle.rounds", 1).set("cooldown.secs", 0);
  }

  /** One scheduling round, then one planning round, whose plan the next round applies. */
  private static Cluster roundAndPlan(Rig rig, ClusterBuilder state) {
    Cluster decided = rig.round(state);
    assertNotNull(rig.plan(), "the engine was not asked");
    return decided;
  }

  private static List<Long> sortedLoads(ClusterBuilder state, Cluster cluster) {
    List<Long> loads = new ArrayList<>();
    Rig.points(state, cluster).values().forEach(points -> loads.add(Math.round(points)));
    loads.sort(Collections.reverseOrder());
    return loads;
  }

  @Test
  void a01ReturnedNodeGetsWholeWorkersOneRoundAfterTheOther() {
    ClusterBuilder state = States.returned();
    Rig.assertSame(state.build(), Rig.stock(state));
    try (Rig rig = eager().set("budget.restarts", 1)) {
      Cluster first = roundAndPlan(rig, state);
      assertEquals(List.of(300L, 300L, 0L), sortedLoads(state, first));
      Cluster second = roundAndPlan(rig, state);
      assertEquals(List.of(300L, 200L, 100L), sortedLoads(state, second));
      assertEquals(1, Rig.restarts(first, second));
      Cluster third = roundAndPlan(rig, state);
      assertEquals(List.of(200L, 200L, 200L), sortedLoads(state, third));
      assertEquals(1, Rig.restarts(second, third));
      assertEquals(2, Rig.restarts(first, third));
      Rig.assertSame(third, roundAndPlan(rig, state));
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void a02FlappingNodeReceivesNothingBeforeItHasSettled() {
    ClusterBuilder state = States.returned();
    boolean[] present = {
      true, true, false, true, false, true, true, true, true, true, true, true, true
    };
    try (Rig rig = eager().set("settle.rounds", 3).set("budget.restarts", 1)) {
      List<Integer> restarts = new ArrayList<>();
      Cluster before = state.build();
      for (boolean here : present) {
        if (here) {
          state.node("sC", "h3", 6700, 6701, 6702, 6703);
        } else {
          state.lose("sC");
        }
        Cluster decided = roundAndPlan(rig, state);
        restarts.add(Rig.restarts(before, decided));
        before = decided;
      }
      assertEquals(Collections.nCopies(7, 0), restarts.subList(0, 7));
      assertEquals(2, restarts.stream().mapToInt(Integer::intValue).sum(), restarts::toString);
      assertEquals(List.of(200L, 200L, 200L), sortedLoads(state, before));
    }
  }

  @Test
  void a05TheDeadJoinTheSurvivorsAndNoSurvivorMoves() {
    ClusterBuilder state =
        cluster().node("n1", "h1", 6700).node("n2", "h2", 6700).topology("t1", 3);
    for (int task = 1; task <= 10; task++) {
      state.executor(task, "bolt", 20);
    }
    state.worker("n1", 6700, 1, 4, 7, 10).worker("n2", 6700, 2, 5, 8);
    Map<String, Set<Integer>> stock = Rig.workers(Rig.stock(state)).get("t1");
    assertFalse(stock.get("n1:6700").containsAll(Set.of(1, 4, 7, 10)), "Storm moves survivors");
    try (Rig rig = eager()) {
      Map<String, Set<Integer>> workers = Rig.workers(rig.round(state)).get("t1");
      assertTrue(workers.get("n1:6700").containsAll(Set.of(1, 4, 7, 10)), workers::toString);
      assertTrue(workers.get("n2:6700").containsAll(Set.of(2, 5, 8)), workers::toString);
      assertEquals(10, workers.values().stream().mapToInt(Set::size).sum());
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void a09HiddenPortIsNoReasonToPileUpOnTheOtherNode() {
    ClusterBuilder state = States.running();
    try (Rig rig = eager()) {
      rig.round(state);
      state.ports("n2", 6701).homeless(2, 4);
      Cluster decided = roundAndPlan(rig, state);
      assertEquals("{n1:6700=[1, 3], n2:6701=[2, 4]}", Rig.workers(decided).get("t1").toString());
      state.ports("n2", 6700, 6701);
      Rig.assertSame(decided, roundAndPlan(rig, state));
      Rig.assertSame(decided, rig.round(state));
    }
  }

  @Test
  void a10OnePortOfTwoTopologiesEndsWithOneTopologyOnEachPort() {
    ClusterBuilder state = cluster().node("n1", "h1", 6700, 6701, 6702);
    state.topology("t1", 1).executor(1, "a", 50).at("n1", 6700).executor(2, "a", 50).at("n1", 6700);
    state.topology("t2", 2).executor(1, "b", 50).at("n1", 6700).executor(2, "b", 50).at("n1", 6701);
    try (Rig rig = eager()) {
      Cluster decided = rig.round(state);
      assertEquals(
          "{t1={n1:6700=[1, 2]}, t2={n1:6701=[2], n1:6702=[1]}}", Rig.workers(decided).toString());
      Rig.assertSame(decided, roundAndPlan(rig, state));
    }
  }

  /** Storm drops the second claim before it asks us; who was there before is what we still know. */
  @Test
  void a10WhoLostItsPortToAnotherTopologyIsWarnedOfOnce() {
    ClusterBuilder before = cluster().node("n1", "h1", 6700, 6701, 6702);
    before
        .topology("t2", 2)
        .executor(1, "b", 50)
        .at("n1", 6700)
        .executor(2, "b", 50)
        .at("n1", 6701);
    ClusterBuilder doubled = cluster().node("n1", "h1", 6700, 6701, 6702);
    doubled.topology("t1", 1).executor(1, "a", 50).at("n1", 6700);
    doubled.topology("t2", 2).executor(1, "b", 50).executor(2, "b", 50).at("n1", 6701);
    try (Rig rig = eager()) {
      rig.round(before);
      assertEquals(List.of(), rig.log.troubles());
      rig.round(doubled);
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      String told = rig.log.troubles().get(0);
      assertTrue(told.contains("last-home-taken") && told.contains("n1:6700"), told);
    }
  }

  @Test
  void a11NothingGoesToTheSupervisorsOfABlacklistedHost() {
    ClusterBuilder state =
        cluster()
            .node("n1a", "h1", 6700)
            .node("n1b", "h1", 6800)
            .node("n2", "h2", 6700)
            .blacklist("h1")
            .topology("t1", 2)
            .executor(1, "a", 50)
            .executor(2, "a", 50);
    try (Rig rig = eager()) {
      Cluster decided = roundAndPlan(rig, state);
      assertEquals("{n2:6700=[1, 2]}", Rig.workers(decided).get("t1").toString());
      String status = decided.getStatus("t1");
      assertTrue(status.startsWith("1 of 2 workers. "), status);
      Rig.assertSame(decided, roundAndPlan(rig, state));
    }
  }

  @Test
  void a12NodeBlacklistedForSomebodyElsesWorkerIsLeftAsItIs() {
    ClusterBuilder state =
        cluster()
            .node("n1", "h1", 6700, 6701, 6702, 6703)
            .node("n2", "h2", 6700, 6701, 6702, 6703)
            .topology("good", 2)
            .executor(1, "a", 50)
            .at("n1", 6701)
            .executor(2, "a", 250)
            .at("n2", 6701);
    try (Rig rig = eager()) {
      Cluster before = state.build();
      for (int round = 1; round <= 8; round++) {
        state.ports(
            "n1",
            round == 1 ? new Integer[] {6700, 6701, 6702, 6703} : new Integer[] {6701, 6702, 6703});
        state.blacklist(round < 4 ? new String[0] : new String[] {"h1"});
        Rig.assertSame(before, roundAndPlan(rig, state));
      }
    }
  }

  @Test
  void a17OrderOfMapsAndListsChangesNothing() {
    Set<String> results = new HashSet<>();
    Random random = new Random(17);
    ClusterBuilder last = null;
    for (int permutation = 0; permutation < 50; permutation++) {
      ClusterBuilder state = cluster();
      shuffled(random, 1, 3).forEach(n -> state.node("n" + n, "h" + n, 6700, 6701));
      for (int t : shuffled(random, 1, 3)) {
        state.topology("t" + t, 2);
        shuffled(random, 1, 4).forEach(task -> state.executor(task, "bolt", 10 * t + task));
      }
      try (Rig rig = eager()) {
        results.add(Rig.workers(rig.round(state)).toString());
      }
      last = state;
    }
    assertEquals(1, results.size(), results::toString);
    try (Rig rig = eager()) {
      Cluster before = last.build();
      Rig.assertSame(before, roundAndPlan(rig, last));
      Rig.assertSame(before, rig.round(last));
    }
  }

  private static List<Integer> shuffled(Random random, int first, int last) {
    List<Integer> numbers = new ArrayList<>();
    for (int n = first; n <= last; n++) {
      numbers.add(n);
    }
    Collections.shuffle(numbers, random);
    return numbers;
  }

  @Test
  void a18ExecutorsOnASupervisorNoLongerListedStay() {
    ClusterBuilder state = cluster().node("n1", "h1", 6700, 6701, 6702).topology("t1", 3);
    state.executor(1, "a", 50).at("n1", 6700).executor(2, "a", 50).at("nX", 6700);
    state.executor(3, "a", 50).at("n1", 6703);
    try (Rig rig = eager()) {
      Cluster before = state.build();
      Rig.assertSame(before, roundAndPlan(rig, state));
      Rig.assertSame(before, rig.round(state));
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void c04NewLeaderPutsTheMissingBackOnTheirSlotsAndMovesNothingElse() {
    ClusterBuilder state = cluster();
    for (int n = 1; n <= 3; n++) {
      state.node("n" + n, "h" + n, 6700, 6701);
    }
    for (int t = 1; t <= 2; t++) {
      state.topology("t" + t, 2);
      for (int task = 1; task <= 10; task++) {
        state.executor(task, "bolt", Double.NaN).at(task <= 6 ? "n1" : "n2", 6699 + t);
      }
      state.homeless(10);
    }
    try (Rig rig = Rig.withEngine().applies()) {
      Cluster before = state.build();
      Cluster decided = roundAndPlan(rig, state);
      for (int t = 1; t <= 2; t++) {
        Map<String, Set<Integer>> workers = Rig.workers(decided).get("t" + t);
        assertEquals(10, workers.values().stream().mapToInt(Set::size).sum());
        assertEquals(Set.of(1, 2, 3, 4, 5, 6), workers.get("n1:" + (6699 + t)), workers::toString);
      }
      assertEquals(0, Rig.restarts(decided, roundAndPlan(rig, state)), "no load is known yet");
      assertEquals(2, Rig.restarts(before, decided), "the workers the missing went back to");
    }
  }

  @Test
  void c06TopologiesKilledAndSubmittedInTheRoundAreServed() {
    ClusterBuilder state = cluster().node("n1", "h1", 6700, 6701, 6702).topology("old", 1);
    state.executor(1, "a", 50).at("n1", 6701);
    state.topology("gone", 1).executor(1, "a", 50).at("n1", 6700);
    try (Rig rig = eager()) {
      rig.round(state);
      state.kill("gone").topology("empty", 2).topology("none", 0).executor(1, "a", 50);
      Cluster decided = rig.round(state);
      assertEquals("{n1:6702=[1]}", Rig.workers(decided).get("none").toString());
      state.topology("new", 1).executor(1, "a", 50);
      decided = rig.round(state);
      assertEquals("{n1:6700=[1]}", Rig.workers(decided).get("new").toString(), "the last port");
      assertEquals("{n1:6701=[1]}", Rig.workers(decided).get("old").toString());
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void c07SupervisorsThatSayNothingOfTheirCpuAreUsedLikeTheOthers() {
    ClusterBuilder state =
        cluster()
            .node("n1", "h1", 6700, 6701)
            .noResources()
            .node("n2", "h2", 6700, 6701)
            .capacity(400)
            .node("n3", "h3", 6700, 6701)
            .capacity(-1)
            .topology("t1", 3);
    for (int task = 1; task <= 6; task++) {
      state.executor(task, "bolt", 50);
    }
    try (Rig rig = eager()) {
      Cluster decided = roundAndPlan(rig, state);
      assertEquals(List.of(100L, 100L, 100L), sortedLoads(state, decided));
      Rig.assertSame(decided, roundAndPlan(rig, state));
      Reply reply = rig.plan();
      assertNotNull(reply);
      assertTrue(
          reply.notes().stream()
              .anyMatch(
                  n -> n.code().equals("capacity-assumed") && n.toString().contains("n1, n3")),
          () -> "" + reply.notes());
    }
  }

  @Test
  void c10SamePlacementMadeAgainIsNoRestart() {
    ClusterBuilder state = States.running();
    Cluster cluster = Rig.stock(state);
    Cluster again = Rig.stock(state);
    var slot = new WorkerSlot("n1", 6700);
    var executors = again.getAssignmentById("t1").getSlotToExecutors().get(slot);
    again.freeSlot(slot);
    again.assign(slot, "t1", executors);
    assertEquals(
        Rig.workers(cluster),
        Rig.workers(again),
        "what Storm compares before it restarts a worker");
    try (Rig rig = eager()) {
      ClusterBuilder submitted = States.submitted();
      Cluster placed = rig.round(submitted);
      Rig.assertSame(placed, Rig.stock(submitted));
      Rig.assertSame(placed, roundAndPlan(rig, submitted));
      Rig.assertSame(placed, rig.round(submitted));
      assertNotEquals(Map.of(), Rig.workers(placed));
    }
  }
}
