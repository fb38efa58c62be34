package io.ballast.storm;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.ballast.storm.demo.DemoCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.state.InMemoryKeyValueStateProvider;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Ballast inside a real Nimbus: {@code storm.scheduler} names it, Storm does the rest. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealStormTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** Storm times tuples in whole milliseconds: one that takes less has cost nothing. */
  static final class SlowCounter extends TestWordCounter {
    private static final long serialVersionUID = 1L;

    @Override
    public void execute(Tuple tuple, BasicOutputCollector collector) {
      Utils.sleep(2);
      super.execute(tuple, collector);
    }
  }

  /** Memory by another name: as far as Ballast can know, these states outlive their worker. */
  public static final class KeptState extends InMemoryKeyValueStateProvider {}

  private Path recordings;
  private Path advice;
  private LocalCluster storm;
  private Map<String, Object> conf;
  private String topology;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    recordings = Files.createDirectory(folder.resolve("recordings"));
    advice = folder.resolve("advice");
    conf = new HashMap<>(DemoCluster.outliveWorkers());
    conf.put(DaemonConfig.STORM_SCHEDULER, BallastScheduler.class.getName());
    conf.put("ballast.native.path", Rig.library().toString());
    conf.put("ballast.period.secs", 1);
    conf.put("ballast.strategy", "stay");
    conf.put("ballast.record.dir", recordings.toString());
    conf.put("ballast.advice.dir", advice.toString());
    conf.put(DaemonConfig.SUPERVISOR_SCHEDULER_META, Map.of(CheckpointRoom.STORAGE, "2048"));
    conf.put(Config.EXECUTOR_METRICS_FREQUENCY_SECS, 1);
    conf.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
    conf.put(Config.STORM_LOCAL_HOSTNAME, "localhost");
    try (ServerSocket free = new ServerSocket(0)) {
      conf.put(Config.NIMBUS_THRIFT_PORT, free.getLocalPort());
    }
    storm =
        new LocalCluster.Builder()
            .withSupervisors(2)
            .withPortsPerSupervisor(2)
            .withNimbusDaemon(true)
            .withDaemonConf(conf)
            .build();
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("words", new TestWordSpout(true), 1);
    builder.setBolt("count", new SlowCounter(), 3).fieldsGrouping("words", new Fields("word"));
    Config submitted = new Config();
    submitted.setNumWorkers(2);
    submitted.setNumAckers(1);
    storm.submitTopology("words", submitted, builder.createTopology());
    topology = storm.getTopologySummaries().get(0).get_id();
    storm.submitTopology("counting", new Config(), StatefulTopologies.counting().createTopology());
    Config kept = new Config();
    kept.put(Config.TOPOLOGY_STATE_PROVIDER, KeptState.class.getName());
    storm.submitTopology("kept", kept, StatefulTopologies.counting().createTopology());
  }

  @AfterAll
  void stop() throws Exception {
    if (storm != null) {
      storm.close();
    }
  }

  private TopologyInfo info() throws Exception {
    return storm.getTopologyInfoWithOpts(topology, new GetInfoOptions());
  }

  @Test
  void theEnginePlacesTheTopologyAndTheStatusSaysWhyNothingMoves() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertEquals(5, info().get_executors_size());
              String status = info().get_sched_status();
              assertNotNull(status);
              assertTrue(status.startsWith("Ballast moves nothing: "), status);
            });
  }

  @Test
  void loadsComeFromNimbusByThrift() throws Exception {
    Homes homes = new Homes();
    LoadFeed feed = new LoadFeed(conf, homes);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              assertTrue(feed.attempt());
              Map<ExecutorDetails, Loads.Load> loads =
                  feed.current().topologies().getOrDefault(topology, Map.of());
              // Three counters and the acker; the spout has no load in statistics.
              assertEquals(4, measured(loads, 0.0), () -> "of " + loads);
              assertTrue(measured(loads, 1e-9) > 0, () -> "all idle: " + loads);
              assertTrue(feed.current().windowSecs() > 0);
              assertTrue(homes.knows(topology));
            });
  }

  private static long measured(Map<ExecutorDetails, Loads.Load> loads, double atLeast) {
    return loads.values().stream().filter(load -> load.cores() >= atLeast).count();
  }

  @Test
  void theRequestsThatWereSentHoldMeasuredLoads() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              String newest = newestRequest();
              assertTrue(newest.contains("\"load_source\":\"stats\""), newest);
              assertTrue(newest.contains("\"kind\":\"spout\""), newest);
            });
  }

  /** Submitted, stored and read back by Nimbus: the serialized bolts are what they were. */
  @Test
  void theRequestsThatWereSentTellOfStatesAndOfRoomForTheirCopies() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              JsonNode request = Wire.object(newestRequest().getBytes(StandardCharsets.UTF_8));
              assertEquals(
                  List.of(2048.0, 2048.0),
                  request.path("nodes").findValues("checkpoint_storage_mib").stream()
                      .map(JsonNode::asDouble)
                      .toList());
              List<String> stateful = new ArrayList<>();
              for (JsonNode sent : request.path("topologies")) {
                for (JsonNode component : sent.path("components").findParents("stateful")) {
                  String survives = sent.path("state_survives").asText("true");
                  stateful.add(component.path("id").asText() + " " + survives);
                }
              }
              assertEquals(List.of("count false", "count true"), stateful);
            });
  }

  @Test
  void theAdviceOnStatesThatSurviveIsStored() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertTrue(Files.isDirectory(advice));
              List<Path> files;
              try (Stream<Path> listed = Files.list(advice)) {
                files = listed.filter(f -> f.toString().endsWith(".json")).toList();
              }
              assertEquals(1, files.size(), files::toString);
              TopologyAdvice stored = TopologyAdvice.read(Files.readAllBytes(files.get(0)));
              assertTrue(stored.topology().startsWith("kept-"), stored::toString);
              List<String> states = new ArrayList<>();
              for (TopologyAdvice.State state : stored.states()) {
                assertEquals(1, state.copies().size(), stored::toString);
                states.add(state.component() + " on " + state.copies().get(0).host());
              }
              assertEquals(List.of("count on localhost", "count on localhost"), states);
            });
  }

  private String newestRequest() throws IOException {
    try (Stream<Path> files = Files.list(recordings)) {
      List<Path> requests =
          files.filter(f -> f.toString().endsWith("-request.json")).sorted().toList();
      assertTrue(!requests.isEmpty());
      return Files.readString(requests.get(requests.size() - 1));
    }
  }
}
