package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.ballast.hook.Reports;
import io.ballast.storm.telemetry.Measurements;
import io.ballast.storm.telemetry.MeasurementsDoor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;

/** What the hook measured, in requests. */
class HookLoadsTest {
  private final AtomicLong now = new AtomicLong(1_000_000_000L);
  private final Measurements measured = new Measurements(now::get, 300);
  private final HookLoads hook = new HookLoads(measured, 60);
  private final ClusterBuilder state =
      ClusterBuilder.cluster()
          .node("n1", "n1", 6700, 6701)
          .topology("flights", 1)
          .spout("source")
          .input("work", "source", "default", ClusterBuilder.shuffle())
          .executor(1, "__acker", Double.NaN)
          .at("n1", 6700)
          .executor(2, "source", Double.NaN)
          .at("n1", 6700)
          .executor(3, 4, "work", 12.5)
          .at("n1", 6700)
          .uptime(130)
          .executor(5, 6, "work", Double.NaN)
          .at("n1", 6700);
  private final TopologyDetails flights = details();

  private TopologyDetails details() {
    Cluster cluster = state.build();
    return cluster.getTopologies().getById(cluster.getTopologies().getAllIds().iterator().next());
  }

  private void report(byte[] report) {
    MeasurementsDoor.add(measured, flights.getId(), report, now.get());
  }

  private List<ExecutorDetails> executors() {
    return new ArrayList<>(flights.getExecutors());
  }

  private List<String> traffic() {
    return hook.traffic(flights, executors()).stream()
        .map(
            pair ->
                pair.from().getStartTask()
                    + " to "
                    + pair.to().getStartTask()
                    + ": "
                    + pair.tuplesPerSec()
                    + ", "
                    + pair.bytesPerSec())
        .toList();
  }

  private Loads.Load load(int first, int last) {
    return state.loads().with(hook).of(flights.getId(), new ExecutorDetails(first, last));
  }

  @Test
  void theHookGoesBeforeStatisticsAndStatisticsWhereItHasNothing() {
    assertEquals("stats", load(3, 4).source());
    report(Reports.report("n1", 6700, 2, 3, 890, 5));
    assertEquals("hook", load(2, 2).source(), "a spout, which statistics do not know");
    assertEquals(0.089, load(2, 2).cores(), 1e-9);
    assertEquals(0.178, load(3, 4).cores(), 1e-9, "two tasks");
    assertEquals(60.0, load(3, 4).uptimeSecs());
    assertTrue(Double.isNaN(load(5, 6).cores()), "not told of");
    now.addAndGet(61_000_000_000L);
    assertEquals(0.125, load(3, 4).cores(), 1e-9, "too old to be true");
    assertSame(state.loads().hook(), HookLoads.NONE);
  }

  /** A worker with task 2 alone, for so many reports up to this uptime. */
  private void aged(String host, int port, long cpuMillis, int reports, double uptimeSecs) {
    for (int i = reports - 1; i >= 0; i--) {
      now.addAndGet(10_000_000_000L);
      report(Reports.aged(host, port, 2, cpuMillis, 1000, uptimeSecs - i * 10));
    }
  }

  @Test
  void aWorkerThatWarmsUpHasTheLoadFromBeforeItsRestart() {
    aged("n1", 6700, 1000, 60, 3600);
    assertEquals("hook", load(2, 2).source());
    aged("n1", 6700, 3000, 29, 299);
    assertEquals("history", load(2, 2).source());
    assertEquals(0.1, load(2, 2).cores(), 1e-6);
    assertEquals(299.0, load(2, 2).uptimeSecs());
    aged("n1", 6700, 3000, 1, 309);
    assertEquals("hook", load(2, 2).source(), "warm");
    assertTrue(load(2, 2).cores() > 0.29, () -> "" + load(2, 2));
  }

  @Test
  void aWorkerThatIsLongInComingHasItToo() {
    aged("n1", 6700, 1000, 60, 3600);
    now.addAndGet(90_000_000_000L);
    assertEquals("history", load(2, 2).source());
    assertEquals(0.1, load(2, 2).cores(), 1e-6);
    ExecutorDetails executor = new ExecutorDetails(2, 2);
    Loads.Load old = new Loads.Load(0.3, 4000, "n1", 6700, Loads.Rates.NONE);
    assertSame(old, hook.join(flights.getId(), executor, old), "it runs: the hook was taken out");
    Loads.Load young = new Loads.Load(0.3, 20, "n2", 6701, Loads.Rates.NONE);
    Loads.Load joined = hook.join(flights.getId(), executor, young);
    assertEquals("history", joined.source());
    assertEquals(6701, joined.port(), "where statistics know it to be");
    assertEquals(20, joined.uptimeSecs());
    now.addAndGet(240_000_000_000L);
    assertSame(young, hook.join(flights.getId(), executor, young), "gone for too long");
  }

  private JsonNode request(String ask) {
    RoundMemory memory = new RoundMemory(new Rig.TestTicker(), new Homes());
    Cluster cluster = state.build();
    memory.beginRound(cluster.getTopologies(), cluster);
    ClusterSnapshot snapshot = memory.snapshot(cluster.getTopologies(), cluster);
    PresentCopies none = new PresentCopies(new AdviceMemory(), false);
    byte[] bytes =
        new RequestWriter(state.stormConf(), false)
            .write(
                snapshot,
                state.loads().with(hook),
                new RequestWriter.Question(ask, 7, 0, none, Map.of()));
    return Wire.object(bytes).path("topologies").path(0);
  }

  /** Nothing was heard of it from there yet. */
  @Test
  void anExecutorThatMovedKeepsItsLoad() {
    aged("n1", 6701, 1000, 60, 3600);
    JsonNode moved = request("plan").path("executors").path(1);
    assertEquals("[2,2]", moved.path("tasks").toString());
    assertEquals("history", moved.path("load_source").asText());
    assertEquals(0.1, moved.path("cpu_cores").asDouble(), 1e-6);
    assertEquals(0.0, moved.path("uptime_secs").asDouble(), "its topology was changed");
    assertEquals(0.0, moved.path("swing_cores").asDouble(), 1e-6);
    assertTrue(moved.has("swing_cores"));
  }

  @Test
  void trafficOfTasksBecomesThatOfTheirExecutors() {
    report(Reports.report("n1", 6700, 2, 3, 890, 6));
    assertEquals(
        List.of("2 to 5: 100.0, 5000.0"),
        traffic(),
        "half of a component is none of it, since what is not listed counts as silent");
    report(Reports.report("n1", 6700, 2, 5, 890, 1));
    List<String> whole = traffic();
    assertTrue(whole.contains("3 to 1: 100.0, 5000.0"), whole::toString);
    assertTrue(whole.contains("5 to 1: 200.0, 10000.0"), whole::toString);
    now.addAndGet(61_000_000_000L);
    assertEquals(List.of(), traffic());
  }

  /** A task told only sums: dealt over the tasks of the component that it named none of. */
  @Test
  void sumsAreDealtEvenly() {
    report(Reports.shared(2, 100, 5));
    // The sums are for ackers, and there is one.
    report(Reports.report("n1", 6700, 3, 4, 890, 1));
    assertTrue(traffic().contains("2 to 1: 0.5, NaN"), () -> "" + traffic());
  }

  /**
   * 229 senders to 230 receivers each: the last 12 sums would make more pairs than a request has.
   */
  @Test
  void sumsBeyondTheLimitAreLeftOutAndToldOnce() {
    ClusterBuilder wide = ClusterBuilder.cluster().node("n1", "n1", 6700).topology("wide", 1);
    for (int task = 1; task <= 460; task++) {
      wide.executor(task, task <= 230 ? "__acker" : "work", Double.NaN).at("n1", 6700);
    }
    Cluster cluster = wide.build();
    TopologyDetails details =
        cluster.getTopologies().getById(cluster.getTopologies().getAllIds().iterator().next());
    for (int task = 231; task < 460; task++) {
      MeasurementsDoor.add(measured, details.getId(), Reports.shared(task, 100, 5), now.get());
    }
    byte[] pair = Reports.report("n1", 6700, 460, 1, 890, 1);
    MeasurementsDoor.add(measured, details.getId(), pair, now.get());
    List<ExecutorDetails> all = new ArrayList<>(details.getExecutors());
    try (LogLines log = new LogLines()) {
      assertEquals(217 * 230 + 1, hook.traffic(details, all).size());
      hook.traffic(details, all);
      assertEquals(1, log.troubles().size(), () -> "" + log.troubles());
      String line = log.troubles().get(0);
      assertTrue(line.contains("12 sums") && line.contains("6 tuples/s"), line);
      assertTrue(line.contains("Plans take them for silent"), line);
    }
  }

  @Test
  void aWorkerIsTheSlotThatHasItsTasks() {
    Map<ExecutorDetails, WorkerSlot> placement = new HashMap<>();
    WorkerSlot first = new WorkerSlot("n1", 6700);
    WorkerSlot second = new WorkerSlot("n2", 6700);
    for (ExecutorDetails executor : executors()) {
      placement.put(executor, executor.getStartTask() < 3 ? first : second);
    }
    report(Reports.report("h1", 6700, 1, 2, 890, 5));
    report(Reports.report("h2", 6700, 3, 4, 890, 5));
    List<HookLoads.WorkerCpu> workers = hook.workers(flights.getId(), placement);
    assertEquals(List.of(first, second), workers.stream().map(w -> w.slot()).toList());
    assertEquals(0.228, workers.get(0).cores(), 1e-9);
    assertEquals(0.05, workers.get(0).overheadCores(), 1e-9);
    assertEquals(60.0, workers.get(0).uptimeSecs(), "the engine charges a new one less");
    placement.put(new ExecutorDetails(3, 4), first);
    assertEquals(List.of(), hook.workers(flights.getId(), placement), "they were others");
  }

  @Test
  void requestsSaySo() {
    report(Reports.report("n1", 6700, 1, 6, 890, 3));
    for (String ask : List.of("plan", "place")) {
      JsonNode topology = request(ask);
      for (JsonNode executor : topology.path("executors")) {
        assertEquals("hook", executor.path("load_source").asText(), executor::toString);
      }
      JsonNode worker = topology.path("worker_cpu").path(0);
      assertEquals("n1:6700", worker.path("node").asText() + ":" + worker.path("port").asInt());
      assertEquals(0.584, worker.path("cpu_cores").asDouble(), 1e-9);
      assertEquals(0.05, worker.path("overhead_cores").asDouble(), 1e-9);
      assertEquals(60.0, worker.path("uptime_secs").asDouble());
      JsonNode first = topology.path("traffic").path(0);
      if (ask.equals("plan")) {
        assertEquals(
            "{\"from\":[1,1],\"to\":[3,4],\"tuples_per_sec\":100.0,\"bytes_per_sec\":5000.0}",
            first.toString());
      } else {
        assertTrue(first.isMissingNode(), "nothing of a placement looks at it");
      }
    }
  }
}
