package io.ballast.storm;

import static io.ballast.storm.ClusterBuilder.cluster;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;

/** What is remembered from round to round. */
class RoundMemoryTest {
  private final Rig.TestTicker ticker = new Rig.TestTicker();
  private final Homes homes = new Homes();
  private final RoundMemory memory = new RoundMemory(ticker, homes);

  private ClusterSnapshot round(ClusterBuilder state) {
    Cluster cluster = state.build();
    memory.beginRound(cluster.getTopologies(), cluster);
    ticker.advance(Rig.ROUND_SECS);
    return memory.snapshot(cluster.getTopologies(), cluster);
  }

  private static List<Integer> seen(ClusterSnapshot snapshot) {
    return snapshot.nodes().stream().map(ClusterSnapshot.Node::seenRounds).toList();
  }

  @Test
  void aNodeThatWasAwayCountsFromOneAgain() {
    ClusterBuilder state = States.running();
    assertEquals(List.of(1, 1), seen(round(state)));
    assertEquals(List.of(2, 2), seen(round(state)));
    assertEquals(List.of(3), seen(round(state.lose("n2"))));
    assertEquals(List.of(4, 1), seen(round(state.node("n2", "h2", 6700))));
  }

  @Test
  void aHomelessExecutorKnowsItsLastSlotEvenAfterSeveralRounds() {
    ClusterBuilder state = States.running();
    round(state);
    state.homeless(3);
    for (int i = 0; i < 3; i++) {
      assertEquals(
          Map.of(new ExecutorDetails(3, 3), new WorkerSlot("n1", 6700)),
          round(state).topologies().get(0).lastHomes());
    }
  }

  @Test
  void afterARebalanceOtherTaskRangesGoToTheSlotOfMostOfTheirTasks() {
    ClusterBuilder before =
        cluster()
            .node("n1", "h1", 6700, 6701)
            .topology("t1", 2)
            .executor(1, 1, "a", 5)
            .at("n1", 6700)
            .executor(2, 2, "a", 5)
            .at("n1", 6701)
            .executor(3, 4, "a", 5)
            .at("n1", 6701);
    round(before);
    ClusterBuilder after =
        cluster().node("n1", "h1", 6700, 6701).topology("t1", 2).executor(1, 4, "a", 5);
    assertEquals(
        Map.of(new ExecutorDetails(1, 4), new WorkerSlot("n1", 6701)),
        round(after).topologies().get(0).lastHomes());
  }

  @Test
  void slotsOfATopologyThatIsGoneAreAvoidedForAWhile() {
    ClusterBuilder state = States.running().topology("gone", 1).executor(1, "x", 5).at("n2", 6701);
    round(state);
    state.kill("gone");
    assertEquals(Map.of("n2", Set.of(6701)), avoided(round(state)));
    ticker.advance(RoundMemory.GHOST_SECS);
    assertEquals(Map.of(), avoided(round(state)));
  }

  @Test
  void anAvoidedSlotThatIsInUseAgainIsNoLongerAvoided() {
    ClusterBuilder state = States.running().topology("gone", 1).executor(1, "x", 5).at("n2", 6701);
    round(state);
    state.kill("gone").topology("new", 1).executor(1, "y", 5).at("n2", 6701);
    assertEquals(Map.of(), avoided(round(state)));
  }

  private static Map<String, Set<Integer>> avoided(ClusterSnapshot snapshot) {
    return snapshot.nodes().stream()
        .filter(n -> !n.avoidPorts().isEmpty())
        .collect(Collectors.toMap(n -> n.details().getId(), ClusterSnapshot.Node::avoidPorts));
  }

  @Test
  void theTimeSinceAChangeIsTold() {
    ClusterBuilder state = States.running();
    assertEquals(Double.NaN, round(state).topologies().get(0).secsSinceChange());
    memory.changed(Set.of("t1"));
    ticker.advance(30);
    assertEquals(30 + Rig.ROUND_SECS, round(state).topologies().get(0).secsSinceChange());
  }

  @Test
  void aNewLeaderKnowsTheHomesTheOldOneTold() {
    ExecutorDetails executor = new ExecutorDetails(3, 3);
    WorkerSlot home = new WorkerSlot("n1", 6700);
    homes.seed("t1", Map.of(executor, home));
    assertEquals(Map.of(executor, home), round(States.wounded()).topologies().get(0).lastHomes());
  }

  @Test
  void racksAreFoundByHostForEverySupervisorOfIt() {
    ClusterSnapshot snapshot =
        round(cluster().node("n1a", "h1", 6700).node("n1b", "h1", 6800).node("n2", "h2", 6700));
    assertEquals(
        List.of("/default-rack", "/default-rack", "/default-rack"),
        snapshot.nodes().stream().map(ClusterSnapshot.Node::rack).toList());
  }
}
