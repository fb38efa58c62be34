package io.ballast.storm;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.Test;

/**
 * A real panic in the real library, built with the cargo feature {@code fault-injection}: it comes
 * back as an exception, the engine is left alone, Storm's own scheduler serves, the JVM lives.
 */
class NativePanicTest {
  @Test
  void panicsAreCountedAndThenStormSchedulesAlone() throws Exception {
    Path library = Path.of(System.getProperty("ballast.test.panics")).toAbsolutePath().normalize();
    assertTrue(
        Files.isRegularFile(library),
        () -> "no library at " + library + "; scripts/test builds it with fault-injection");
    Map<String, Object> settings =
        Map.of(
            "ballast.native.path",
            library.toString(),
            "ballast.strategy",
            "panic",
            // Nothing is measured here, and the strategy shall be asked all the same.
            "ballast.load.coverage.min",
            0.0,
            "ballast.load.floor.cores",
            0.0,
            "ballast.settle.rounds",
            1,
            "ballast.period.secs",
            0.1);
    try (LogLines log = new LogLines();
        IsolatedShim shim = new IsolatedShim()) {
      shim.round(States.running(), settings);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                shim.again(States.running());
                return log.troubles().stream().anyMatch(l -> l.contains("it is left alone"));
              });
      String told = log.troubles().get(0);
      assertTrue(
          told.matches(
              ".*panic in the native library at src/solve/panic.rs:[0-9:]+ as the strategy panic"
                  + " does.*"),
          told);
      Cluster after = shim.again(States.submitted());
      Rig.assertSame(Rig.stock(States.submitted()), after);
      assertEquals(4, after.getAssignmentById("t1").getExecutors().size());
    }
  }
}
