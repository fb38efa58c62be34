package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever an engine answers to a placement call: {@code schedule} returns, the cluster is as
 * Storm's own scheduler leaves it, one line says why.
 */
class AnswerFaultsTest {
  static Stream<Arguments> answers() {
    return Stream.of(
        fault("no JSON", r -> "Segmentation fault", "is no JSON"),
        fault("nothing", r -> null, "answered nothing"),
        fault("another document", r -> "{\"ballast\":\"welcome\"}", "no plan of wire version 1"),
        fault("an array", r -> "[]", "no JSON object"),
        fault(
            "half a reply",
            r -> ScriptedEngine.plan(r, "t1", "n1:6700 1").substring(0, 90),
            "no JSON"),
        fault("another snapshot", AnswerFaultsTest::stale, "stale answer"),
        fault("another topology's slot", r -> assign(r, "n2:6701 3"), "n2:6701 is occupied by t2"),
        fault("unknown node", r -> assign(r, "n9:6700 3"), "node n9 is not in the cluster"),
        fault("unknown port", r -> assign(r, "n1:6999 3"), "port 6999 of n1 is not offered"),
        fault("unknown executor", r -> assign(r, "n1:6701 3 77"), "executor [77, 77] is unknown"),
        fault(
            "executor twice",
            r -> assign(r, "n1:6701 3 4"),
            "executor [4, 4] of t1 is named twice"),
        fault("executor lost", r -> ScriptedEngine.plan(r, "t1", "n1:6700 1 3"), "loses its slot"),
        fault(
            "unknown topology",
            r -> ScriptedEngine.plan(r, "t9", "n1:6701 3"),
            "topology t9 does not exist"),
        fault("empty worker", r -> assign(r, "n1:6701"), "is empty or named twice"),
        fault(
            "an exception",
            r -> {
              throw new NativeFailure("panic in the native library: index out of bounds");
            },
            "panic in the native library"),
        fault(
            "an error",
            r -> {
              throw new OutOfMemoryError("Java heap space");
            },
            "OutOfMemoryError"),
        fault("a refusal", AnswerFaultsTest::refusal, "slot-conflict"));
  }

  private static Arguments fault(String name, Function<JsonNode, String> answer, String said) {
    return Arguments.of(name, answer, said);
  }

  /** The survivors as they are, and one more worker. */
  private static String assign(JsonNode request, String worker) {
    return ScriptedEngine.plan(request, "t1", "n1:6700 1, n2:6700 2 4, " + worker);
  }

  private static String stale(JsonNode request) {
    return ScriptedEngine.reply(request, "placed", "[]", request.path("generation").asLong() - 1);
  }

  private static String refusal(JsonNode request) {
    return ScriptedEngine.reply(request, "refused", "[]", request.path("generation").asLong())
        .replace(
            "\"refusal\":null",
            "\"refusal\":{\"code\":\"slot-conflict\",\"detail\":\"d\",\"advice\":\"a\"}");
  }

  private static ClusterBuilder wounded() {
    return States.wounded().topology("t2", 1).executor(1, "x", 10).at("n2", 6701);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void theDelegateDoesTheRound(String name, Function<JsonNode, String> answer, String said) {
    ScriptedEngine engine = new ScriptedEngine(answer);
    try (Rig rig = Rig.withEngine(engine)) {
      Cluster expected = Rig.stock(wounded());
      Cluster actual = rig.round(wounded());
      assertEquals(1, engine.asked.get(), "the fault never happened");
      Rig.assertSame(expected, actual);
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      String line = rig.log.troubles().get(0);
      assertTrue(line.contains(said), line);
      assertTrue(line.contains("DefaultScheduler schedules"), line);
    }
  }

  @Test
  void aGoodAnswerIsFollowed() {
    ScriptedEngine engine = new ScriptedEngine(r -> assign(r, "n1:6701 3"));
    try (Rig rig = Rig.withEngine(engine)) {
      Cluster actual = rig.round(wounded());
      assertEquals(
          "{n1:6700=[1], n1:6701=[3], n2:6700=[2, 4]}", Rig.workers(actual).get("t1").toString());
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void anAnswerThatIsLateIsNotWaitedForAndNotFollowed() {
    CountDownLatch hanging = new CountDownLatch(1);
    ScriptedEngine engine =
        new ScriptedEngine(
            request -> {
              await(hanging);
              return assign(request, "n1:6701 3");
            });
    try (Rig rig = Rig.withEngine(engine).set("native.timeout.ms", 50)) {
      Rig.assertSame(Rig.stock(wounded()), rig.round(wounded()));
      assertEquals(
          List.of(
              "Ballast's engine failed: no answer within 50 ms; DefaultScheduler schedules instead"),
          rig.log.troubles());
      // The stuck call is still out: a second one is not risked.
      Rig.assertSame(Rig.stock(wounded()), rig.round(wounded()));
      assertEquals(1, engine.asked.get());
      hanging.countDown();
      org.awaitility.Awaitility.await()
          .until(
              () -> {
                rig.round(wounded());
                return engine.asked.get() > 1;
              });
    }
  }

  @Test
  void afterThreeFailuresInARowTheEngineIsLeftAlone() {
    ScriptedEngine engine = new ScriptedEngine(request -> "nonsense");
    try (Rig rig = Rig.withEngine(engine).set("native.retry.secs", 300)) {
      for (int round = 0; round < 10; round++) {
        Rig.assertSame(Rig.stock(wounded()), rig.round(wounded()));
      }
      assertEquals(3, engine.asked.get());
      assertEquals(2, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      assertTrue(rig.log.troubles().get(1).contains("left alone for 300 s"));
      rig.ticker.advance(300);
      rig.round(wounded());
      assertEquals(4, engine.asked.get(), "it was not tried again");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
