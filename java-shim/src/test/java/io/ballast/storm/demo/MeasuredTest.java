package io.ballast.storm.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The demo judges Ballast by these figures, so they are checked by hand. */
class MeasuredTest {
  private static final Map<String, Double> CAPACITY = Map.of("n1", 0.5, "n2", 0.5, "n3", 1.0);
  private static final Reading.Slot N1 = new Reading.Slot("n1", 6700);
  private static final Reading.Slot N2 = new Reading.Slot("n2", 6700);

  /** A spout on n1, a bolt on n1 and one on n2; the bolts were busy for so many ms. */
  private static Reading reading(int secs, int uptime, double busy1, double busy2, long acked) {
    TreeMap<Long, Reading.Slot> slots = new TreeMap<>(Map.of(1L, N1, 2L, N1, 3L, N2));
    TreeMap<Long, Reading.Counts> counts = new TreeMap<>();
    counts.put(1L, new Reading.Counts(uptime, 0, 0, acked, acked / 100, acked * 5.0));
    counts.put(2L, new Reading.Counts(uptime, busy1, busy1, 0, 0, 0));
    counts.put(3L, new Reading.Counts(uptime, busy2, busy2, 0, 0, 0));
    return new Reading(secs * 1_000_000_000L, slots, counts);
  }

  @Test
  void figuresAreDifferencesOverTheWindow() {
    Reading from = reading(100, 30, 1000, 500, 1000);
    Reading to = reading(110, 40, 5000, 1500, 5000);
    Measured window = Measured.between(from, to, CAPACITY).orElseThrow();
    assertEquals(10.0, window.secs(), 1e-9);
    assertEquals(0.4, window.nodes().get(0).cores(), 1e-9);
    assertEquals(0.8, window.nodes().get(0).utilization(), 1e-9);
    assertEquals(0.2, window.nodes().get(1).utilization(), 1e-9);
    assertEquals(0.0, window.nodes().get(2).utilization(), 1e-9, "an idle node is a node");
    assertEquals(400, window.flightsPerSec(), 1e-9);
    assertEquals(500, window.tuplesPerSec(), 1e-9);
    assertEquals(5.0, window.completeMillis(), 1e-9);
    assertEquals(40, window.failed());
    assertEquals(2, window.nodes().get(0).executors());
    assertEquals(1, window.nodes().get(0).workers());
  }

  @Test
  void loadDistanceIsTheLargestFromTheMeanOfCapacity() {
    Measured window =
        Measured.between(reading(0, 1, 0, 0, 1), reading(10, 11, 4000, 1000, 2), CAPACITY)
            .orElseThrow();
    assertEquals(0.25, window.meanUtilization(), 1e-9, "0.5 of 2.0 cores");
    assertEquals(0.55, window.loadDistance(), 1e-9, "n1 at 0.8");
  }

  @Test
  void workersThatRestartedBetweenTheReadingsAreNotMeasured() {
    Reading from = reading(100, 30, 1000, 500, 1000);
    assertTrue(Measured.between(from, reading(110, 3, 200, 100, 100), CAPACITY).isEmpty());
    Reading moved = reading(110, 40, 5000, 1500, 5000);
    moved.slots().put(3L, new Reading.Slot("n3", 6700));
    assertTrue(Measured.between(from, moved, CAPACITY).isEmpty());
  }

  @Test
  void anExecutorThatHasNotReportedIsMissingAndNotZero() {
    Reading from = reading(100, 30, 1000, 500, 1000);
    Reading to = reading(110, 40, 5000, 1500, 5000);
    to.counts().remove(3L);
    assertTrue(Measured.between(from, to, CAPACITY).isEmpty());
  }
}
