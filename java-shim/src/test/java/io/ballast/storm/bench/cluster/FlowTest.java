package io.ballast.storm.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowTest {
  private static final long MS = 1_000_000L;

  @TempDir Path folder;

  @Test
  void whatTheSpoutsWriteIsReadForAWindow() throws IOException {
    AckLog one = new AckLog(folder, 7, 0);
    AckLog other = new AckLog(folder, 8, 0);
    for (int interval = 1; interval <= 10; interval++) {
      one.emitted();
      one.acked(interval * MS);
      one.acked(interval * MS);
      other.failed();
      one.look(interval * 200 * MS);
      other.look(interval * 200 * MS);
    }
    Flow flow = Flow.between(folder, 400 * MS, 1400 * MS);
    assertEquals(10, flow.acked());
    assertEquals(5, flow.failed());
    assertEquals(10, flow.ackedPerSec());
    assertEquals(10, flow.latencies().count());
    // Of the intervals 3 to 7.
    assertEquals(5.0, flow.p50Ms(), 5.0 / 16);
    assertEquals(7.0, flow.p99Ms(), 7.0 / 16);
  }

  @Test
  void anIntervalThatLiesHalfInsideCountsHalf() throws IOException {
    Files.writeString(folder.resolve("acks-1"), "0\t1000\t0\t40\t20\t-\n");
    Flow flow = Flow.between(folder, 750, 5000);
    assertEquals(10, flow.acked());
    assertEquals(5, flow.failed());
  }

  @Test
  void aLineThatIsBeingWrittenAndOtherFilesAreNotRead() throws IOException {
    Files.writeString(folder.resolve("acks-1"), "0\t1000\t0\t4\t0\t-\n1000\t2000\t0\t4");
    new Order(3, 12.5).write(folder);
    assertEquals(4, Flow.between(folder, 0, 2000).acked());
    assertEquals(new Order(3, 12.5), Order.read(folder));
  }

  @Test
  void noLineBeforeAnIntervalIsOver() throws IOException {
    AckLog log = new AckLog(folder, 1, 0);
    log.acked(MS);
    log.look(199 * MS);
    assertEquals(0, Flow.between(folder, 0, 500 * MS).acked());
  }

  @Test
  void withoutAFileThereIsNoOrder() throws IOException {
    assertEquals(Order.NONE, Order.read(folder));
  }
}
