package io.ballast.storm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ballast.hook.Reports;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reports merged into figures, with a clock that only moves when told. */
class MeasurementsTest {
  private static final String ID = "t-1-1";

  private long now = 5_000_000_000L;
  private final Measurements measured = new Measurements(() -> now, 300);

  private void add(byte[] report) throws Exception {
    measured.add(ID, ReportReader.read(report), now);
  }

  private void pass(double secs) {
    now += (long) (secs * 1e9);
  }

  private double cores(int first, int last) {
    return measured.executor(ID, first, last, 60).orElseThrow().cores();
  }

  @Test
  void oneReportIsItsOwnMean() throws Exception {
    add(Reports.report("n1", 6700, 3, 2, 890, 7));
    ExecutorFigures told = measured.executor(ID, 3, 3, 60).orElseThrow();
    assertEquals(0.089, told.cores(), 1e-9);
    assertEquals(100.0, told.receivedPerSec(), 1e-9);
    assertEquals(1.0, told.emittedPerSec(), 1e-9);
    assertEquals(100.0, told.sentPerSec(), 1e-9);
    assertEquals(2.5, told.waitMs(), 1e-9);
    assertEquals(60.0, told.uptimeSecs(), 1e-9);
    assertEquals(10.0, told.coveredSecs(), 1e-9);
    assertEquals("n1", told.host());
    pass(4);
    assertEquals(4.0, measured.executor(ID, 3, 3, 60).orElseThrow().ageSecs(), 1e-9);
    assertEquals(
        new Traffic(
            List.of(new Traffic.Pair(3, 7, 100.0, 5000.0), new Traffic.Pair(4, 7, 100.0, 5000.0)),
            List.of()),
        measured.traffic(ID, 60));
  }

  @Test
  void newReportsWeighMoreAndOldOnesAreForgotten() throws Exception {
    add(Reports.report("n1", 6700, 3, 1, 1000, 7));
    pass(10);
    add(Reports.report("n1", 6700, 3, 1, 3000, 8));
    double old = Math.exp(-10 / 60.0);
    assertEquals((0.1 * old + 0.3) / (old + 1), cores(3, 3), 1e-9);
    List<Traffic.Pair> pairs = measured.traffic(ID, 60).pairs();
    assertEquals(7, pairs.get(0).to());
    assertEquals(100 * old / (old + 1), pairs.get(0).tuplesPerSec(), 1e-9);
    assertEquals(100 / (old + 1), pairs.get(1).tuplesPerSec(), 1e-9);
    for (int i = 0; i < 120; i++) {
      pass(10);
      add(Reports.report("n1", 6700, 3, 1, 3000, 8));
    }
    assertEquals(0.3, cores(3, 3), 1e-6);
    assertEquals(
        List.of(8), measured.traffic(ID, 60).pairs().stream().map(Traffic.Pair::to).toList());
  }

  @Test
  void whatIsOldOrMissingInPartIsNotTold() throws Exception {
    add(Reports.report("n1", 6700, 3, 2, 890, 7));
    assertTrue(measured.executor(ID, 3, 5, 60).isEmpty(), "task 5 was never told of");
    assertTrue(measured.executor("other-1-1", 3, 3, 60).isEmpty());
    pass(61);
    assertTrue(measured.executor(ID, 3, 3, 60).isEmpty());
    assertEquals(List.of(), measured.traffic(ID, 60).pairs());
    assertEquals(List.of(), measured.workers(ID, 60));
    assertTrue(measured.executor(ID, 3, 3, 120).isPresent());
  }

  /** An executor of four tasks becomes two of two, then moves elsewhere. */
  @Test
  void loadsFollowTheTasks() throws Exception {
    add(Reports.shared(3, 1000, 600, 200, 100, 100));
    assertEquals(0.1, cores(3, 6), 1e-9);
    assertEquals(0.08, cores(3, 4), 1e-9);
    assertEquals(0.06, cores(3, 3), 1e-9);
    assertEquals(0.01, cores(6, 6), 1e-9);
    assertEquals(80.0, measured.executor(ID, 3, 4, 60).orElseThrow().receivedPerSec(), 1e-9);
    Traffic.Rest rest = measured.traffic(ID, 60).rest().get(0);
    assertEquals("__acker", rest.component());
    assertEquals(0.5, rest.tuplesPerSec(), 1e-9);
    assertTrue(Double.isNaN(rest.bytesPerSec()), "not sized is not zero");
    pass(10);
    add(Reports.report("n2", 6701, 3, 1, 600, 9));
    assertEquals("n2", measured.executor(ID, 3, 3, 60).orElseThrow().host());
    assertEquals("n1", measured.executor(ID, 4, 4, 60).orElseThrow().host());
    assertEquals(0.06, cores(3, 3), 1e-9);
  }

  @Test
  void aWorkersOverheadIsWhatNoExecutorUsed() throws Exception {
    add(Reports.report("n1", 6700, 3, 2, 890, 7));
    WorkerFigures worker = measured.workers(ID, 60).get(0);
    assertEquals(List.of(3, 4), worker.tasks());
    assertEquals(0.228, worker.cores(), 1e-9);
    assertEquals(0.05, worker.overheadCores(), 1e-9);
    assertEquals(0.002, worker.gcFraction(), 1e-9);
    assertEquals(2.5, worker.serializationMicros(), 1e-9);
    assertEquals(new WorkerFigures.Node(false, 0.3, 0.35), worker.node());
    add(Reports.shared(9, 100, 5));
    WorkerFigures unknown = measured.workers(ID, 60).get(1);
    assertTrue(Double.isNaN(unknown.cores()) && Double.isNaN(unknown.overheadCores()));
  }

  @Test
  void aTaskIsInOneWorkerAtATime() throws Exception {
    add(Reports.report("n1", 6700, 3, 2, 890, 7));
    add(Reports.report("n2", 6701, 4, 2, 890, 7));
    List<WorkerFigures> workers = measured.workers(ID, 60);
    assertEquals(List.of("n2"), workers.stream().map(WorkerFigures::host).toList());
    measured.retain(Set.of());
    assertEquals(List.of(), measured.workers(ID, 60));
    assertTrue(measured.executor(ID, 4, 4, 60).isEmpty());
  }

  /** All-to-all of a thousand, each report as large as the format allows, for an hour. */
  @Test
  void pairsOfATaskAreBounded() throws Exception {
    for (int round = 0; round < 20; round++) {
      Report.Task task = new Report.Task(1, 1, 1, 1, true, pairs(round * 1000), List.of());
      measured.add(
          ID,
          new Report(
              10_000_000_000L,
              1000,
              "n1",
              6700,
              -1,
              -1,
              -1,
              new Report.Node(0, 0, 0),
              List.of(),
              List.of("c"),
              List.of(new Report.Executor(1, 1, 0, 5, -1, List.of(task)))),
          now);
      pass(1);
    }
    int pairs = measured.traffic(ID, 60).pairs().size();
    assertEquals(ReportReader.PAIRS_OF_TASK_MAX, pairs);
  }

  private static List<Report.Pair> pairs(int from) {
    return IntStream.range(from, from + 1000)
        .mapToObj(target -> new Report.Pair(target, 100 + from / 1000, 100))
        .toList();
  }
}
