package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.scheduler.ExecutorDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States found, copies advised by the engine, advice stored and kept to. */
class AdviceEndToEndTest {
  private static final String REDIS = "org.apache.storm.redis.state.RedisKeyValueStateProvider";

  @TempDir Path folder;

  private static ClusterBuilder state() {
    return StatefulTopologies.running().conf(Config.TOPOLOGY_STATE_PROVIDER, REDIS);
  }

  private Rig rig() {
    return Rig.withEngine().set("advice.dir", folder.toString());
  }

  private static void rounds(Rig rig, ClusterBuilder state, int rounds) {
    for (int i = 0; i < rounds; i++) {
      rig.round(state);
      assertNull(rig.plan().refusal());
    }
  }

  private static long told(Rig rig) {
    return rig.log.all().stream().filter(l -> l.text().contains("copies advised")).count();
  }

  private TopologyAdvice stored() throws IOException {
    return TopologyAdvice.read(Files.readAllBytes(folder.resolve("t1.json")));
  }

  /** The node of each count executor, then where its copies should lie. */
  private static void assertSound(TopologyAdvice advice, ClusterBuilder state) {
    assertEquals(2, advice.states().size(), advice::toString);
    var placement = state.build().getAssignmentById("t1").getExecutorToSlot();
    for (TopologyAdvice.State kept : advice.states()) {
      assertEquals("count", kept.component());
      assertTrue(kept.estimated(), "nobody measures states on stock Storm");
      assertEquals(1, kept.copies().size(), advice::toString);
      String home = placement.get(kept.executor()).getNodeId();
      assertFalse(kept.copies().get(0).id().equals(home), () -> advice + " beside " + placement);
    }
  }

  @Test
  void adviceIsGivenStoredAndKeptToByTheNextLeaderToo() throws IOException {
    ClusterBuilder state = state();
    TopologyAdvice first;
    try (Rig rig = rig()) {
      rounds(rig, state, 1);
      first = stored();
      assertSound(first, state);
      rounds(rig, state, 3);
      assertTrue(stored().agrees(first), () -> "moved for no reason: " + first);
      assertTrue(stored().takenAt().isAfter(first.takenAt()), "not written any more");
      assertEquals(1, told(rig), () -> "" + rig.log.all());
      assertEquals(List.of(), rig.log.troubles());
    }
    try (Rig next = rig()) {
      rounds(next, state, 1);
      assertTrue(stored().agrees(first));
      assertEquals(0, told(next), "the same advice is no news");
    }
  }

  /** Two states on n1, with copies on n2; one has to move there, and its copy to n1. */
  @Test
  void adviceNeverNamesTheNodeAStateIsOnWhateverIsPlanned() {
    ClusterBuilder state =
        ClusterBuilder.cluster()
            .node("n1", "h1", 6700, 6701)
            .node("n2", "h2", 6700, 6701)
            .topology("t1", 2)
            .conf(Config.TOPOLOGY_STATE_PROVIDER, REDIS)
            .built(StatefulTopologies.counting().createTopology())
            .executor(1, "count", 80)
            .executor(2, "count", 80)
            .executor(3, "last", 2)
            .worker("n1", 6700, 1, 2)
            .worker("n2", 6700, 3);
    try (Rig rig = rig().applies().set("checkpoint.held", true)) {
      Set<String> homes = new TreeSet<>();
      for (int round = 0; round < 6; round++) {
        rig.round(state);
        homes.add(homes(state).toString());
        assertNoneAtHome(rig.scheduler.parts().advice().of("t1"), homes(state));
        rig.plan();
        assertNoneAtHome(rig.scheduler.parts().advice().of("t1"), homes(state));
      }
      assertEquals(2, homes.size(), () -> "no state was moved, nothing is shown: " + homes);
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  private static List<String> homes(ClusterBuilder state) {
    var placement = state.build().getAssignmentById("t1").getExecutorToSlot();
    return List.of(
        placement.get(new ExecutorDetails(1, 1)).getNodeId(),
        placement.get(new ExecutorDetails(2, 2)).getNodeId());
  }

  private static void assertNoneAtHome(TopologyAdvice advice, List<String> homes) {
    for (int at = 0; advice != null && at < homes.size(); at++) {
      String home = homes.get(at);
      List<TopologyAdvice.Node> copies = advice.states().get(at).copies();
      assertTrue(copies.stream().noneMatch(n -> n.id().equals(home)), () -> advice + " " + homes);
    }
  }

  /** A node that is gone, a node's own copy, a state with no copy: all may come of older advice. */
  @Test
  void theRealEngineUnderstandsWhatGoesBack() {
    try (Rig rig = Rig.withEngine()) {
      ClusterBuilder state = StatefulTopologies.running();
      state.of("n1").meta(CheckpointRoom.STORAGE, "8192").meta(CheckpointRoom.NETWORK, "512");
      rig.round(state);
      List<TopologyAdvice.State> states = new ArrayList<>();
      states.add(advised(2, "gone", "n1", "n2"));
      states.add(advised(3));
      rig.scheduler
          .parts()
          .advice()
          .adopt(new TopologyAdvice("t1", 1, Instant.parse("2026-11-30T00:00:00Z"), states));
      Reply reply = rig.plan();
      assertNull(reply.refusal());
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  private static TopologyAdvice.State advised(int task, String... nodes) {
    List<TopologyAdvice.Node> copies = new ArrayList<>();
    for (String node : nodes) {
      copies.add(new TopologyAdvice.Node(node, null));
    }
    return new TopologyAdvice.State(new ExecutorDetails(task, task), "count", 2000, true, copies);
  }
}
