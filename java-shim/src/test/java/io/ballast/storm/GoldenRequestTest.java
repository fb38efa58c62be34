package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests as Java writes them, byte for byte, in {@code tests/golden}: Rust's tests read the same
 * files, so neither side can change the wire alone. {@code mvn test -Dtest=GoldenRequestTest
 * -DargLine=-Dballast.golden.write=true} writes them anew.
 */
class GoldenRequestTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("ballast.test.root"), "tests", "golden");

  static Stream<Arguments> requests() {
    return Stream.of(
        Arguments.of("request-plain.json", plain()),
        Arguments.of("request-resources.json", resources()),
        Arguments.of("request-states.json", states()),
        Arguments.of("request-after-failures.json", afterFailures()));
  }

  /** Else a topology packed into fewer workers than it asked for would be dealt anew by it. */
  @Test
  void theHeapRulesWorkersOnlyAboveADelegateThatGoesByItToo() {
    ClusterBuilder state = requesting();
    String request =
        new String(write(state, new Round(state).next(state), false), StandardCharsets.UTF_8);
    assertTrue(request.contains("\"onheap_request_mib\":300.0"), request);
    assertFalse(request.contains("worker_heap_max_mib"), request);
  }

  /** A small pipeline that runs, measured but for its spout and acker. */
  private static byte[] plain() {
    ClusterBuilder state = pipeline();
    return write(state, new Round(state).next(state), false);
  }

  private static ClusterBuilder pipeline() {
    return ClusterBuilder.cluster()
        .node("n1", "h1", 6700, 6701)
        .node("n2", "h2", 6701, 6700)
        .topology("flights", 2)
        .spout("source")
        .input("delay", "source", "default", Grouping.fields(List.of("plane")))
        .input("top", "delay", "default", Grouping.fields(List.of()))
        .input("top", "delay", "late", ClusterBuilder.shuffle())
        .input("top", "source", "tick", Grouping.all(new NullStruct()))
        .input("delay", "source", "local", Grouping.local_or_shuffle(new NullStruct()))
        .executor(1, "__acker", Double.NaN)
        .at("n1", 6700)
        .uptime(130)
        .executor(2, 3, "delay", 12.5)
        .at("n1", 6700)
        .uptime(130)
        .rates("source", Map.of("default", 20.0, "local", 2.5), 40.0)
        .executor(4, 5, "delay", 20.25)
        .at("n2", 6701)
        .uptime(130)
        .rates("source", Map.of("default", 30.0), 60.0)
        .executor(6, "source", Double.NaN)
        .at("n2", 6701)
        .uptime(130)
        .rates("", null, 52.5)
        .executor(7, "top", 0)
        .at("n2", 6701)
        .uptime(130);
  }

  /** Requests of its own, another priority, a topology that opted out, capacities unknown. */
  private static byte[] resources() {
    ClusterBuilder state = requesting();
    return write(state, new Round(state).next(state), false, true);
  }

  private static ClusterBuilder requesting() {
    return pipeline()
        .conf(Config.TOPOLOGY_PRIORITY, 3)
        .componentConf("delay", "{\"topology.component.resources.onheap.memory.mb\": 300.0}")
        .node("n3", "h2", 6700)
        .capacity(0)
        .node("n4", "h3")
        .noResources()
        .node("n5", "h4", 6700)
        .capacity(-1)
        .memory(16384)
        .blacklist("h3")
        .topology("other", 1)
        .conf(TopologyFacts.ENABLED, false)
        .executor(1, "x", Double.NaN)
        .at("n5", 6700);
  }

  /** Executors that lost their slot, a topology that is gone, a node that has just come. */
  private static byte[] afterFailures() {
    ClusterBuilder state = pipeline().topology("gone", 1).executor(1, "x", 5).at("n2", 6700);
    Round round = new Round(state);
    round.next(state);
    state.kill("gone").node("n3", "h3", 6700).topology("flights", 2).homeless(2, 7);
    return write(state, round.next(state), true);
  }

  /** States in memory, states that outlive their workers with a copy advised, room for copies. */
  private static byte[] states() {
    ClusterBuilder state = StatefulTopologies.running();
    state.of("n1").meta(CheckpointRoom.STORAGE, "4096").meta(CheckpointRoom.NETWORK, "512");
    state
        .topology("t2", 2)
        .conf(Config.TOPOLOGY_STATE_PROVIDER, "com.example.KeptStateProvider")
        .built(StatefulTopologies.counting().createTopology())
        .executor(1, "count", 30)
        .executor(2, "count", 10)
        .worker("n1", 6701, 1)
        .worker("n2", 6701, 2);
    AdviceMemory advice = new AdviceMemory();
    List<TopologyAdvice.Node> copies =
        List.of(new TopologyAdvice.Node("n3", "h3"), new TopologyAdvice.Node("n2", "h2"));
    advice.adopt(
        new TopologyAdvice(
            "t2",
            1,
            Instant.parse("2026-11-30T00:00:00Z"),
            List.of(
                new TopologyAdvice.State(
                    new ExecutorDetails(1, 1), "count", 1048576, true, copies))));
    return write(
        state, new Round(state).next(state), false, false, new PresentCopies(advice, true));
  }

  /** Snapshots ten seconds apart, from one memory. */
  private static final class Round {
    private final Rig.TestTicker ticker = new Rig.TestTicker();
    private final RoundMemory memory = new RoundMemory(ticker, new Homes());

    Round(ClusterBuilder state) {
      memory.beginRound(state.build().getTopologies(), state.build());
    }

    ClusterSnapshot next(ClusterBuilder state) {
      Cluster cluster = state.build();
      ticker.advance(Rig.ROUND_SECS);
      memory.beginRound(cluster.getTopologies(), cluster);
      return memory.snapshot(cluster.getTopologies(), cluster);
    }
  }

  private static byte[] write(ClusterBuilder state, ClusterSnapshot snapshot, boolean place) {
    return write(state, snapshot, place, false);
  }

  private static byte[] write(
      ClusterBuilder state, ClusterSnapshot snapshot, boolean place, boolean resourceAware) {
    PresentCopies none = new PresentCopies(new AdviceMemory(), false);
    return write(state, snapshot, place, resourceAware, none);
  }

  private static byte[] write(
      ClusterBuilder state,
      ClusterSnapshot snapshot,
      boolean place,
      boolean resourceAware,
      PresentCopies copies) {
    Map<String, Object> settings =
        new TreeMap<>(Map.of("budget.restarts", 2, "mode", "apply", "strategy", "stay"));
    return new RequestWriter(state.stormConf(), resourceAware)
        .write(
            snapshot,
            state.loads(),
            new RequestWriter.Question(place ? "place" : "plan", 7, 0, copies, settings));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void theBytesAreThoseOfTheGoldenFile(String name, byte[] request) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("ballast.golden.write")) {
      Files.createDirectories(FOLDER);
      Files.write(file, request);
    }
    assertEquals(
        pieces(Files.readString(file)), pieces(new String(request, StandardCharsets.UTF_8)));
  }

  /** The same text, cut where a reader of a failure would cut it. */
  private static List<String> pieces(String json) {
    return List.of(json.split("(?<=\\},)"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void theEngineUnderstandsIt(String name, byte[] request) {
    long generation = Wire.object(request).path("generation").asLong();
    NativeLoader.load(Rig.library().toString());
    Reply reply = Reply.read(NativeBallast.answer(request), generation);
    assertNull(reply.refusal(), () -> name + ": " + reply.refusal());
  }
}
