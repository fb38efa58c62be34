package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ballast.hook.Reports;
import io.ballast.storm.telemetry.Measurements;
import io.ballast.storm.telemetry.MeasurementsDoor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;

/** What a tuple that leaves its worker costs. */
class RemoteCostTest {
  private final AtomicLong now = new AtomicLong(1_000_000_000L);
  private final Measurements measured = new Measurements(now::get, 0);
  private final HookLoads hook = new HookLoads(measured, 60);
  private final RemoteCost remote = new RemoteCost();

  /** Six workers of one executor each, all of which send to the last. */
  private ClusterSnapshot snapshot() {
    ClusterBuilder state =
        ClusterBuilder.cluster()
            .node("n1", "n1", 6700, 6701, 6702, 6703, 6704, 6705)
            .topology("flights", 6)
            .spout("source")
            .input("work", "source", "default", ClusterBuilder.shuffle());
    for (int task = 1; task <= 6; task++) {
      state.executor(task, task == 6 ? "work" : "source", Double.NaN).at("n1", 6699 + task);
    }
    Cluster cluster = state.build();
    RoundMemory memory = new RoundMemory(new Rig.TestTicker(), new Homes());
    memory.beginRound(cluster.getTopologies(), cluster);
    return memory.snapshot(cluster.getTopologies(), cluster);
  }

  /** Each sends so many tuples a second; overhead is a tenth of a core, and so much a tuple. */
  private Optional<String> round(ClusterSnapshot snapshot, double micros, double warmSecs) {
    String id = snapshot.topologies().get(0).id();
    double[] sent = {500, 1000, 1500, 2000, 2500, 0};
    for (int task = 1; task <= 6; task++) {
      double crossing = task == 6 ? 7500 : sent[task - 1];
      MeasurementsDoor.add(
          measured,
          id,
          Reports.sending(
              "n1", 6699 + task, task, 6, sent[task - 1], 0.1 + crossing * micros / 1e6),
          now.get());
    }
    return remote.learn(snapshot, hook, warmSecs);
  }

  @Test
  void serializationAndWhatBothWorkersSpendBesideTheirExecutors() {
    ClusterSnapshot snapshot = snapshot();
    assertTrue(remote.micros().isEmpty(), "nothing was seen");
    Optional<String> told = round(snapshot, 4.0, 30);
    assertEquals(2.5 + 2 * 4.0, remote.micros().orElseThrow(), 1e-3);
    assertEquals(
        "a tuple that leaves its worker costs 10.5 us of CPU, 2.5 of it serialization",
        told.orElseThrow());
    assertTrue(round(snapshot, 4.0, 30).isEmpty(), "told once");
  }

  @Test
  void overheadThatDoesNotGrowWithTuplesIsNotTheirs() {
    round(snapshot(), 0.0, 30);
    assertEquals(2.5, remote.micros().orElseThrow(), 1e-3);
  }

  @Test
  void workersThatStillCompileTeachNothing() {
    round(snapshot(), 4.0, 61);
    assertTrue(remote.micros().isEmpty());
  }

  @Test
  void oneWorkerThatIsBusyOtherwiseDecidesNothing() {
    List<RemoteCost.Sample> samples =
        List.of(
            new RemoteCost.Sample(1000, 0.11),
            new RemoteCost.Sample(2000, 0.92),
            new RemoteCost.Sample(3000, 0.13),
            new RemoteCost.Sample(4000, 0.14),
            new RemoteCost.Sample(5000, 0.15),
            new RemoteCost.Sample(6000, 0.16));
    List<Double> slopes = RemoteCost.slopes(samples).stream().sorted().toList();
    assertEquals(3, slopes.size());
    assertEquals(10.0, slopes.get(1), 1e-9);
    assertEquals(List.of(), RemoteCost.slopes(samples.subList(0, 3)), "too few");
    assertEquals(
        List.of(),
        RemoteCost.slopes(
            List.of(
                new RemoteCost.Sample(1000, 0.1),
                new RemoteCost.Sample(1010, 0.2),
                new RemoteCost.Sample(1020, 0.3),
                new RemoteCost.Sample(1030, 0.4))),
        "all alike");
  }
}
