package io.ballast.storm.telemetry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ballast.hook.Reports;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reports, written by the hook's own writer, and bytes that are none. */
class ReportReaderTest {
  private static final byte[] REPORT = Reports.report("storm4", 6701, 22, 3, 890, 7);

  @Test
  void whatTheHookWritesIsRead() throws Exception {
    Report report = ReportReader.read(REPORT);
    assertEquals(10_000_000_000L, report.nanos());
    assertEquals(60_000, report.uptimeMillis());
    assertEquals("storm4", report.host());
    assertEquals(6701, report.port());
    assertEquals(3_170_000_000L, report.cpuNanos());
    assertEquals(20, report.gcMillis());
    assertEquals(Reports.SERIALIZATION_NANOS, report.serializationNanos());
    assertEquals(new Report.Node(1, 3_000_000_000L, 0.35), report.node());
    assertEquals(List.of("__acker", "work"), report.components());
    assertEquals(3, report.executors().size());
    assertEquals(
        new Report.Executor(
            23,
            23,
            1,
            890_000_000,
            2500,
            List.of(
                new Report.Task(
                    23,
                    1000,
                    10,
                    1000,
                    true,
                    List.of(new Report.Pair(7, 1000, 50_000)),
                    List.of()))),
        report.executors().get(1));
  }

  @Test
  void whatWasNotMeasuredIsNegativeAndNotZero() throws Exception {
    Report report = ReportReader.read(Reports.shared(3, 100, 5, 6));
    assertEquals(-1, report.cpuNanos());
    assertEquals(-1, report.gcMillis());
    Report.Task task = report.executors().get(0).tasks().get(1);
    assertEquals(4, task.task());
    assertEquals(List.of(new Report.Rest(0, 5, 0)), task.rest());
  }

  @Test
  void theTwoSidesAgreeOnWhatAReportBeginsWith() {
    assertArrayEquals(ReportReader.MAGIC, Arrays.copyOf(REPORT, ReportReader.MAGIC.length));
  }

  @Test
  void everyCutAndEveryTailIsGarbage() {
    for (int length = 0; length < REPORT.length; length++) {
      byte[] cut = Arrays.copyOf(REPORT, length);
      assertThrows(ReportReader.Garbage.class, () -> ReportReader.read(cut), "cut at " + length);
    }
    assertThrows(
        ReportReader.Garbage.class,
        () -> ReportReader.read(Arrays.copyOf(REPORT, REPORT.length + 1)));
  }

  /** Any bytes: a report with every number in range, or garbage; nothing else, and soon. */
  @Test
  void anyBytes() {
    Random random = new Random(20261130);
    int reports = 0;
    int garbage = 0;
    for (int round = 0; round < 200_000; round++) {
      byte[] bytes;
      if (round % 4 == 0) {
        bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        System.arraycopy(
            ReportReader.MAGIC, 0, bytes, 0, Math.min(bytes.length, ReportReader.MAGIC.length));
      } else {
        bytes = REPORT.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
          bytes[random.nextInt(bytes.length)] =
              (byte) (random.nextInt(3) == 0 ? -1 : random.nextInt());
        }
      }
      try {
        check(ReportReader.read(bytes));
        reports++;
      } catch (ReportReader.Garbage expected) {
        garbage++;
      }
    }
    assertTrue(reports > 1000 && garbage > 1000, reports + " reports, " + garbage + " garbage");
  }

  private static void check(Report report) {
    assertTrue(report.nanos() > 0 && report.nanos() <= ReportReader.NANOS_MAX);
    int before = -1;
    for (Report.Executor executor : report.executors()) {
      assertTrue(executor.first() > before && executor.last() <= ReportReader.TASK_MAX);
      before = executor.last();
      assertTrue(executor.component() < report.components().size());
      for (Report.Task task : executor.tasks()) {
        assertTrue(task.task() >= executor.first() && task.task() <= executor.last());
        assertTrue(task.work() >= 0);
        task.pairs().forEach(p -> assertTrue(p.tuples() >= 0 && p.target() <= 1_000_000));
        task.rest().forEach(r -> assertTrue(r.component() < report.components().size()));
      }
    }
  }

  /** A count that promises more than there is costs nothing but its own reading. */
  @Test
  void aCountIsNotBelievedBeforeItsEntriesAreThere() {
    byte[] bytes = Arrays.copyOf(ReportReader.MAGIC, 4 + 40);
    Arrays.fill(bytes, 4, bytes.length, (byte) 0x7F);
    assertThrows(ReportReader.Garbage.class, () -> ReportReader.read(bytes));
  }
}
