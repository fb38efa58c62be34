package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors inside the shim itself, in places where they hurt most. */
class ShimFaultsTest {
  static Stream<Error> errors() {
    return Stream.of(new OutOfMemoryError("Java heap space"), new StackOverflowError("too deep"));
  }

  /** A cluster that fails where only Ballast looks, or in the middle of a change. */
  private static final class FailingCluster extends Cluster {
    private final Error error;
    private int assignsLeft;
    private int snapshotsLeft;

    FailingCluster(Cluster cluster, Error error, int snapshotsLeft, int assignsLeft) {
      super(cluster);
      this.error = error;
      this.snapshotsLeft = snapshotsLeft;
      this.assignsLeft = assignsLeft;
    }

    @Override
    public Map<String, List<String>> getNetworkTopography() {
      if (error != null && snapshotsLeft-- == 0) {
        throw error;
      }
      return super.getNetworkTopography();
    }

    @Override
    public void assign(WorkerSlot slot, String topology, Collection<ExecutorDetails> executors) {
      if (error != null && assignsLeft-- == 0) {
        throw error;
      }
      super.assign(slot, topology, executors);
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void anErrorInTheSnapshotLeavesTheRoundToTheDelegate(Error error) {
    try (Rig rig = Rig.withEngine(ScriptedEngine.assigning("n1:6701 1 2 3 4"))) {
      ClusterBuilder state = States.submitted();
      Cluster cluster = new FailingCluster(state.build(), error, 0, -1);
      rig.round(state, cluster);
      Rig.assertSame(Rig.stock(state), cluster);
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      assertTrue(rig.log.troubles().get(0).contains(error.toString()));
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void anErrorAfterTheDelegateChangesNothing(Error error) {
    try (Rig rig =
        Rig.withEngine(ScriptedEngine.assigning("n1:6701 1 2 3 4")).set("place", "delegate")) {
      ClusterBuilder state = States.submitted();
      Cluster cluster = new FailingCluster(state.build(), error, 0, -1);
      rig.round(state, cluster);
      Rig.assertSame(Rig.stock(state), cluster);
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void anErrorInTheMiddleOfAChangePutsEverythingBack(Error error) {
    String swapped = "n1:6700 2 4, n2:6700 1 3";
    try (Rig rig =
        Rig.withEngine(ScriptedEngine.assigning(swapped)).applies().set("place", "delegate")) {
      ClusterBuilder state = States.running();
      rig.round(state);
      rig.plan();
      Cluster cluster = new FailingCluster(state.build(), error, -1, 1);
      rig.round(state, cluster);
      Rig.assertSame(Rig.stock(state), cluster);
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      assertTrue(rig.log.troubles().get(0).contains(error.toString()));
    }
  }

  /** Storm's scheduler, going wrong after it has freed something. */
  public static final class BrokenScheduler extends DefaultScheduler {
    @Override
    public void schedule(Topologies topologies, Cluster cluster) {
      cluster.freeSlot(new WorkerSlot("n1", 6700));
      throw new IllegalStateException("delegate is broken");
    }
  }

  @Test
  void aDelegateThatThrowsDoesNotEndNimbusAndFreesNothing() {
    try (Rig rig =
        Rig.withEngine(ScriptedEngine.assigning("n1:6701 1 2 3 4"))
            .set("place", "delegate")
            .set("delegate.scheduler", BrokenScheduler.class.getName())) {
      ClusterBuilder state = States.running();
      Cluster before = state.build();
      Rig.assertSame(before, rig.round(state));
      assertTrue(rig.log.troubles().get(0).contains("BrokenScheduler failed"));
    }
  }

  @Test
  void aDelegateThatDoesNotExistIsReplacedAndTold() {
    try (Rig rig =
        Rig.withEngine(new ScriptedEngine(r -> "x")).set("delegate.scheduler", "no.such.Class")) {
      ClusterBuilder state = States.submitted();
      Rig.assertSame(Rig.stock(state), rig.round(state));
      assertTrue(
          rig.log.troubles().get(0).contains("ballast.delegate.scheduler = no.such.Class"),
          () -> "" + rig.log.troubles());
    }
  }

  @Test
  void prepareTwiceIsSafe() {
    try (Rig rig = Rig.withEngine(ScriptedEngine.assigning("n1:6701 1 2 3 4"))) {
      ClusterBuilder state = States.submitted();
      StormMetricsRegistry metrics = new StormMetricsRegistry();
      rig.scheduler.prepare(state.stormConf(), metrics);
      Parts first = rig.scheduler.parts();
      rig.prepare(state);
      assertTrue(first != rig.scheduler.parts());
      Cluster after = rig.round(state);
      assertEquals("{n1:6701=[1, 2, 3, 4]}", Rig.workers(after).get("t1").toString());
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void whatCannotBeSetUpLeavesStormAlone() {
    ClusterBuilder state = States.submitted();
    BallastScheduler scheduler =
        new BallastScheduler(
            new Parts.Kit(
                Ticker.SYSTEM,
                NativeEngine::source,
                (conf, homes) -> {
                  throw new OutOfMemoryError("unable to create native thread");
                },
                true));
    try (LogLines log = new LogLines()) {
      scheduler.prepare(state.stormConf(), new StormMetricsRegistry());
      Cluster cluster = state.build();
      scheduler.schedule(cluster.getTopologies(), cluster);
      Rig.assertSame(Rig.stock(state), cluster);
      assertEquals(
          List.of("Ballast cannot be set up; DefaultScheduler schedules alone"), log.troubles());
    } finally {
      scheduler.cleanup();
    }
  }

  @Test
  void afterCleanupAScheduleThatIsStillOnItsWayChangesNothingAndDoesNotThrow() {
    try (Rig rig = Rig.withEngine(ScriptedEngine.assigning("n1:6701 1 2 3 4"))) {
      rig.round(States.running());
      rig.scheduler.cleanup();
      Cluster cluster = States.submitted().build();
      rig.scheduler.schedule(cluster.getTopologies(), cluster);
      assertEquals(Map.of(), Rig.workers(cluster));
    }
  }

  @Test
  void configIsEmptyInEveryState() {
    try (Rig rig = Rig.withEngine(new ScriptedEngine(r -> "x"))) {
      assertEquals(Map.of(), rig.scheduler.config());
      rig.prepare(States.submitted());
      assertEquals(Map.of(), rig.scheduler.config());
      rig.round(States.wounded());
      assertEquals(Map.of(), rig.scheduler.config());
    }
  }
}
