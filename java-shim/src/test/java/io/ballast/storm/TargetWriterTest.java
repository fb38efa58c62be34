package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;

/** Bringing a cluster to a target. */
class TargetWriterTest {
  private static final ExecutorDetails ONE = new ExecutorDetails(1, 1);
  private static final ExecutorDetails TWO = new ExecutorDetails(2, 2);
  private static final ExecutorDetails THREE = new ExecutorDetails(3, 3);
  private static final ExecutorDetails FOUR = new ExecutorDetails(4, 4);

  /** Field case C10: freed and assigned again, Storm's assignment is equal and nothing restarts. */
  @Test
  void theSameExecutorsOnTheSameSlotGiveAnEqualAssignment() {
    Cluster before = States.running().build();
    Cluster after = States.running().build();
    after.freeSlot(new WorkerSlot("n1", 6700));
    TargetWriter.write(Target.present(before, Set.of("t1")), after);
    assertEquals(before.getAssignments(), after.getAssignments());
    assertEquals(before.getWorkerResourcesMap(), after.getWorkerResourcesMap());
  }

  @Test
  void twoWorkersChangePlacesInOneStep() {
    Cluster cluster = States.running().build();
    TargetWriter.write(
        new Target(
            Map.of(
                "t1",
                Map.of(
                    new WorkerSlot("n1", 6700), Set.of(TWO, FOUR),
                    new WorkerSlot("n2", 6700), Set.of(ONE, THREE)))),
        cluster);
    assertEquals(
        Map.of("n1:6700", Set.of(2, 4), "n2:6700", Set.of(1, 3)), Rig.workers(cluster).get("t1"));
  }

  @Test
  void aTargetTheClusterDoesNotAcceptChangesNothing() {
    Cluster cluster = States.running().build();
    Target impossible =
        new Target(
            Map.of(
                "t1", Map.of(new WorkerSlot("n1", 6701), Set.of(ONE, TWO, THREE, FOUR)),
                "nobody", Map.of(new WorkerSlot("n2", 6701), Set.of(ONE))));
    try {
      TargetWriter.write(impossible, cluster);
      throw new AssertionError("Storm accepted an unknown topology");
    } catch (IllegalArgumentException refusedByStorm) {
      Rig.assertSame(States.running().build(), cluster);
    }
  }
}
