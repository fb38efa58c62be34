package io.ballast.storm;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.ballast.hook.TelemetryHook;
import io.ballast.storm.demo.DemoCluster;
import io.ballast.storm.demo.OneProcessTransport;
import io.ballast.storm.telemetry.ExecutorFigures;
import io.ballast.storm.telemetry.Measurements;
import io.ballast.storm.telemetry.Telemetry;
import io.ballast.storm.telemetry.Traffic;
import io.ballast.storm.telemetry.WorkerFigures;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The hook in real workers, its reports on their real way to a real Nimbus: credentials by Storm's
 * state, the leader by Storm's client, HTTP; and what the engine is asked with them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TelemetryOnStormTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** Reports come every half second; figures older than this are none. */
  private static final double MAX_AGE_SECS = 30.0;

  private Path recordings;
  private LocalCluster storm;
  private Telemetry telemetry;
  private Measurements measured;
  private String topology;
  private List<Integer> work;
  private int source;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    recordings = folder;
    Map<String, Object> conf = new HashMap<>(DemoCluster.outliveWorkers());
    conf.put(DaemonConfig.STORM_SCHEDULER, TelemetryScheduler.class.getName());
    conf.put("ballast.native.path", Rig.library().toString());
    conf.put("ballast.period.secs", 1);
    conf.put("ballast.strategy", "stay");
    conf.put("ballast.record.dir", folder.toString());
    conf.put("ballast.telemetry.enabled", true);
    conf.put("ballast.telemetry.period.secs", 0.5);
    conf.put("ballast.telemetry.port", freePort());
    conf.put("ballast.telemetry.host", "localhost");
    conf.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
    conf.put(Config.STORM_LOCAL_HOSTNAME, "localhost");
    // Not LocalCluster's own transport, in which one worker's death is everybody's.
    conf.put(Config.STORM_LOCAL_MODE_ZMQ, true);
    conf.put(Config.STORM_MESSAGING_TRANSPORT, OneProcessTransport.class.getName());
    conf.put(Config.TASK_REFRESH_POLL_SECS, 1);
    conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
    conf.put(Config.NIMBUS_THRIFT_PORT, freePort());
    storm =
        new LocalCluster.Builder()
            .withSupervisors(2)
            .withPortsPerSupervisor(2)
            .withNimbusDaemon(true)
            .withDaemonConf(conf)
            .build();
    telemetry = TelemetryScheduler.newest().telemetry();
    measured = telemetry.measurements();
    topology = submit("work");
    await().atMost(PATIENCE).until(() -> executors().size() == 4);
    Map<String, List<Integer>> tasks =
        executors().stream()
            .collect(
                Collectors.groupingBy(
                    ExecutorSummary::get_component_id,
                    Collectors.flatMapping(
                        e ->
                            IntStream.rangeClosed(
                                    e.get_executor_info().get_task_start(),
                                    e.get_executor_info().get_task_end())
                                .boxed(),
                        Collectors.toList())));
    work = tasks.get("work").stream().sorted().toList();
    source = tasks.get("source").get(0);
  }

  @AfterAll
  void stop() throws Exception {
    if (storm != null) {
      storm.close();
    }
  }

  private String submit(String name) throws Exception {
    Config submitted = new Config();
    submitted.setNumWorkers(2);
    submitted.setNumAckers(1);
    submitted.put(Config.TOPOLOGY_AUTO_TASK_HOOKS, List.of(TelemetryHook.class.getName()));
    storm.submitTopology(name, submitted, TelemetryTopology.builder().createTopology());
    return storm.getTopologySummaries().stream()
        .filter(summary -> summary.get_name().equals(name))
        .findFirst()
        .orElseThrow()
        .get_id();
  }

  private List<ExecutorSummary> executors() throws Exception {
    return storm.getTopologyInfoWithOpts(topology, new GetInfoOptions()).get_executors();
  }

  private static int freePort() throws Exception {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private String state() {
    return telemetry.counts().reports()
        + " reports, "
        + telemetry.counts()
        + ", "
        + measured.workers(topology, 1e9);
  }

  private Optional<ExecutorFigures> executor(int first, int last) {
    return measured.executor(topology, first, last, MAX_AGE_SECS);
  }

  @Test
  @Order(1)
  void ratesAndPairsAreWhatTheTopologySends() {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              ExecutorFigures spout = executor(source, source).orElseThrow();
              assertEquals(TelemetryTopology.RATE, spout.emittedPerSec(), 50, spout::toString);
              Traffic traffic = measured.traffic(topology, MAX_AGE_SECS);
              assertEquals(List.of(), traffic.rest());
              Map<Integer, Traffic.Pair> pairs =
                  traffic.pairs().stream()
                      .filter(pair -> pair.from() == source)
                      .collect(Collectors.toMap(Traffic.Pair::to, pair -> pair));
              assertEquals(Set.copyOf(work), pairs.keySet());
              double all = spout.emittedPerSec();
              assertEquals(0.7, pairs.get(work.get(0)).tuplesPerSec() / all, 0.01);
              assertEquals(0.1, pairs.get(work.get(3)).tuplesPerSec() / all, 0.01);
              // 100 letters, a number of two or three bytes, and what Storm puts round them.
              Traffic.Pair heavy = pairs.get(work.get(0));
              assertEquals(132, heavy.bytesPerSec() / heavy.tuplesPerSec(), 8);
            });
  }

  @Test
  @Order(2)
  void cpuOfExecutorsIsWhatTheirThreadsUsed() {
    await().atMost(PATIENCE).until(() -> TelemetryTopology.cpuNow().keySet().containsAll(work));
    Map<Integer, Long> before = TelemetryTopology.cpuNow();
    long began = System.nanoTime();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                System.nanoTime() - began > 5_000_000_000L
                    && executor(work.get(0), work.get(1)).isPresent());
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              Map<Integer, Long> after = TelemetryTopology.cpuNow();
              double secs = (System.nanoTime() - began) / 1e9;
              for (int i = 0; i < 4; i += 2) {
                int first = work.get(i);
                int last = work.get(i + 1);
                // Both run on one thread.
                double own =
                    (Math.max(after.get(first), after.get(last))
                            - Math.max(before.get(first), before.get(last)))
                        / 1e9
                        / secs;
                ExecutorFigures told = executor(first, last).orElseThrow();
                // Not the same seconds: the hook's figure remembers a minute.
                assertEquals(own, told.cores(), own * 0.2 + 0.02, told::toString);
              }
              assertTrue(executor(source, source).orElseThrow().cores() > 0.001);
            });
  }

  @Test
  @Order(3)
  void everyExecutorIsToldAckersToo() throws Exception {
    List<ExecutorSummary> all = executors();
    assertEquals(4, all.size());
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              for (ExecutorSummary summary : all) {
                ExecutorFigures told =
                    executor(
                            summary.get_executor_info().get_task_start(),
                            summary.get_executor_info().get_task_end())
                        .orElseThrow();
                assertTrue(told.cores() >= 0, () -> summary.get_component_id() + " " + told);
                assertEquals(summary.get_port(), told.port());
              }
              List<WorkerFigures> workers = measured.workers(topology, MAX_AGE_SECS);
              assertEquals(2, workers.size(), workers::toString);
              for (WorkerFigures worker : workers) {
                assertTrue(Double.isNaN(worker.cores()), "a process of all is nobody's");
                assertTrue(worker.node() != null && worker.node().usedCores() > 0);
              }
            });
  }

  @Test
  @Order(4)
  void waitsInQueuesAreTold() {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              double wait = executor(work.get(0), work.get(1)).orElseThrow().waitMs();
              assertTrue(wait >= 0 && wait < 60_000, () -> "waited " + wait);
            });
  }

  /** Spout and acker too, so all is measured; and the engine takes it. */
  @Test
  @Order(5)
  void theEngineIsAskedWithTheHooksFigures() {
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              List<Path> files;
              try (Stream<Path> listed = Files.list(recordings)) {
                files = listed.sorted().toList();
              }
              Path reply =
                  files.stream()
                      .filter(file -> file.toString().endsWith("-reply.json"))
                      .reduce((one, other) -> other)
                      .orElseThrow();
              Path request = Path.of(reply.toString().replace("-reply.json", "-request.json"));
              JsonNode sent = Wire.object(Files.readAllBytes(request)).path("topologies").path(0);
              assertEquals(
                  List.of("hook", "hook", "hook", "hook"),
                  sent.findValuesAsText("load_source"),
                  sent::toString);
              assertTrue(sent.path("traffic").size() >= 2, sent::toString);
              JsonNode answer = Wire.object(Files.readAllBytes(reply));
              assertTrue(answer.path("refusal").isNull(), answer::toString);
            });
  }

  @Test
  @Order(6)
  void figuresFollowTheTasksWhenExecutorsAreRenumbered() throws Exception {
    double before = executor(work.get(0), work.get(1)).orElseThrow().cores();
    RebalanceOptions options = new RebalanceOptions();
    options.set_wait_secs(0);
    options.put_to_num_executors("work", 4);
    storm.rebalance("work", options);
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertEquals(
                    4,
                    executors().stream().filter(e -> e.get_component_id().equals("work")).count()));
    // At once, before any report by the new executors.
    ExecutorFigures hot = executor(work.get(0), work.get(0)).orElseThrow();
    ExecutorFigures cold = executor(work.get(1), work.get(1)).orElseThrow();
    assertEquals(before, hot.cores() + cold.cores(), before * 0.5 + 0.05);
    assertTrue(hot.cores() > 3 * cold.cores(), () -> hot + " " + cold);
    // And by themselves.
    long reports = telemetry.counts().reports();
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertTrue(telemetry.counts().reports() > reports + 10, this::state);
              ExecutorFigures own = executor(work.get(0), work.get(0)).orElseThrow();
              assertTrue(own.ageSecs() < 5, own::toString);
              assertTrue(own.cores() > 0.04, own::toString);
            });
  }

  @Test
  @Order(7)
  void theHookEndsWithItsWorkerAndNimbusForgetsTheTopology() throws Exception {
    KillOptions now = new KillOptions();
    now.set_wait_secs(0);
    storm.killTopologyWithOpts("work", now);
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertEquals(
                    List.of(),
                    Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("ballast-telemetry-" + topology))
                        .toList()));
    await()
        .atMost(PATIENCE)
        .until(() -> measured.executor(topology, source, source, 1e9).isEmpty());
  }
}
