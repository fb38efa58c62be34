package io.ballast.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Serialized sizes, sampled. */
class StreamSizesTest {
  private static double counted(StreamSizes sizes, String stream, List<List<Object>> tuples) {
    long sum = 0;
    for (List<Object> tuple : tuples) {
      sum += sizes.of(stream, tuple);
    }
    return (double) sum / StreamSizes.FRACTION / tuples.size();
  }

  @Test
  void theMeanOfAMixedStreamIsWithinFivePercent() {
    Random random = new Random(3);
    List<List<Object>> tuples =
        random
            .ints(200_000, 0, 4)
            // Two bytes head, then the letters: 10, 60, 110 or 160.
            .mapToObj(step -> List.<Object>of("x".repeat(10 + 50 * step)))
            .toList();
    int[] asked = {0};
    StreamSizes sizes =
        new StreamSizes(
            (stream, values) -> {
              asked[0]++;
              return ((String) values.get(0)).length();
            },
            new Faults(),
            5);
    double real = tuples.stream().mapToInt(t -> ((String) t.get(0)).length()).average().orElse(0);
    assertEquals(real, counted(sizes, "default", tuples), real * 0.05);
    assertTrue(sizes.known());
    assertTrue(asked[0] < 3000, () -> "samples: " + asked[0]);
  }

  @Test
  void theSizeIsTheOneStormsOwnSerializerMakes() {
    Map<String, Object> conf = Utils.readDefaultConfig();
    conf.put("topology.acker.executors", 0);
    TupleSizer sizer = new TupleSizer(conf, null);
    int empty = sizer.size("default", List.of(""));
    assertEquals(empty + 100, sizer.size("default", List.of("x".repeat(99) + "y")), 2);
    conf.put("topology.acker.executors", 1);
    assertEquals(empty + 16, new TupleSizer(conf, null).size("default", List.of("")), "an anchor");
    assertEquals(empty, new TupleSizer(conf, null).size("__ack_ack", List.of("")), "has none");
  }

  @Test
  void whatASampleTakesIsTimed() {
    Map<String, Object> conf = Utils.readDefaultConfig();
    TupleSizer sizer = new TupleSizer(conf, ManagementFactory.getThreadMXBean());
    assertEquals(-1, sizer.rollNanos(), "no sample yet");
    List<Object> large = List.of("x".repeat(1 << 19));
    for (int i = 0; i < 500; i++) {
      sizer.size("default", List.of("x"));
    }
    long small = sizer.rollNanos();
    for (int i = 0; i < 500; i++) {
      sizer.size("default", large);
    }
    assertTrue(small >= 0);
    assertTrue(sizer.rollNanos() > 2 * small, "half a MiB takes longer than a letter");
    assertEquals(-1, sizer.rollNanos(), "told once");
    TupleSizer untimed = new TupleSizer(conf, null);
    untimed.size("default", List.of("x"));
    assertEquals(-1, untimed.rollNanos(), "missing is not zero");
  }

  @Test
  void whatCannotBeSerializedHasNoSizeAndIsAskedOnce() {
    Map<String, Object> conf = Utils.readDefaultConfig();
    conf.put("topology.fall.back.on.java.serialization", false);
    Faults faults = new Faults();
    StreamSizes sizes = new StreamSizes(new TupleSizer(conf, null), faults, 5);
    for (int i = 0; i < 10_000; i++) {
      assertEquals(0, sizes.of("default", List.of(new Object())));
    }
    assertFalse(sizes.known(), "missing is not zero");
    assertEquals(1, faults.of(Part.SIZES));
  }

  @Test
  void dearTuplesAreSampledSeldom() {
    int[] asked = {0};
    StreamSizes sizes =
        new StreamSizes(
            (stream, values) -> {
              asked[0]++;
              long began = System.nanoTime();
              while (System.nanoTime() - began < 200_000) {
                Thread.onSpinWait();
              }
              return 7;
            },
            new Faults(),
            5);
    counted(sizes, "default", java.util.Collections.nCopies(100_000, List.of()));
    // 200 microseconds are 10,000 tuples' budget.
    assertTrue(asked[0] < 32 + 40, () -> "samples: " + asked[0]);
  }
}
