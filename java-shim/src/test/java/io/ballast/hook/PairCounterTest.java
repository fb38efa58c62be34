package io.ballast.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Who sends to whom, in fixed memory. */
class PairCounterTest {
  /** Tasks 0 to 999 of one component, and one more of another. */
  private static ComponentIndex components() {
    Map<Integer, String> tasks = new HashMap<>();
    for (int task = 0; task < 1000; task++) {
      tasks.put(task, "many");
    }
    tasks.put(1000, "source");
    return new ComponentIndex(tasks);
  }

  private static Map<Integer, Long> tuples(PairCounter.Rolled rolled) {
    Map<Integer, Long> tuples = new HashMap<>();
    rolled.pairs().forEach(pair -> tuples.put(pair.target(), pair.tuples()));
    return tuples;
  }

  private static long sum(PairCounter.Rolled rolled) {
    return rolled.pairs().stream().mapToLong(PairCounter.Pair::tuples).sum()
        + rolled.rest().stream().mapToLong(PairCounter.Rest::tuples).sum();
  }

  @Test
  void everyPairIsExactWhileTheyAreNoMoreThanCanBeHeld() {
    PairCounter counter = new PairCounter(1000, components());
    for (int target = 0; target < 1000; target++) {
      for (int i = 0; i <= target; i++) {
        counter.add(target, 10);
      }
    }
    PairCounter.Rolled rolled = counter.roll();
    assertEquals(List.of(), rolled.rest());
    assertEquals(1000, rolled.pairs().size());
    for (PairCounter.Pair pair : rolled.pairs()) {
      assertEquals(pair.target() + 1, pair.tuples());
      assertEquals(10 * pair.tuples(), pair.bytes());
    }
    assertEquals(List.of(), counter.roll().pairs(), "told once");
  }

  /** All-to-all: each emit goes to all thousand tasks, in order, and to ten of them often. */
  @Test
  void heavyPairsBecomeExactAndNothingIsLost() {
    PairCounter counter = new PairCounter(64, components());
    Random random = new Random(7);
    PairCounter.Rolled last = null;
    Map<Integer, Long> sent = new HashMap<>();
    for (int interval = 0; interval < 6; interval++) {
      sent.clear();
      long all = 0;
      for (int emit = 0; emit < 200; emit++) {
        for (int target = 0; target < 1000; target++) {
          counter.add(target, 5);
          sent.merge(target, 1L, Long::sum);
          all++;
        }
        for (int i = 0; i < 500; i++) {
          int heavy = 900 + random.nextInt(10);
          counter.add(heavy, 5);
          sent.merge(heavy, 1L, Long::sum);
          all++;
        }
      }
      last = counter.roll();
      assertEquals(all, sum(last), "what no pair tells is in the rest");
    }
    Map<Integer, Long> told = tuples(last);
    assertTrue(told.size() <= 64, told::toString);
    for (int heavy = 900; heavy < 910; heavy++) {
      assertEquals(sent.get(heavy), told.get(heavy), "heavy target " + heavy);
    }
  }

  @Test
  void aTableThatIsReplacedWhileItIsWrittenToLosesNothing() throws Exception {
    PairCounter counter = new PairCounter(16, components());
    AtomicBoolean done = new AtomicBoolean();
    long total = 3_000_000;
    Thread writer =
        new Thread(
            () -> {
              Random random = new Random(11);
              for (long i = 0; i < total; i++) {
                // What is heavy changes all the time.
                counter.add((int) (i / 100_000 * 20 + random.nextInt(20)) % 1000, 1);
              }
              done.set(true);
            });
    writer.start();
    long told = 0;
    int exchanged = 0;
    Map<Integer, Long> before = Map.of();
    while (!done.get()) {
      PairCounter.Rolled rolled = counter.roll();
      told += sum(rolled);
      Map<Integer, Long> now = tuples(rolled);
      exchanged += now.keySet().equals(before.keySet()) ? 0 : 1;
      before = now;
    }
    writer.join();
    told += sum(counter.roll());
    told += sum(counter.roll());
    assertEquals(total, told);
    assertTrue(exchanged > 2, "the test exchanged no table: " + exchanged);
  }

  /** What one worker may hold, were all of a topology of 1,000 x 1,000 in it. */
  @Test
  void memoryIsBounded() {
    long[] bytes = new long[1];
    int capacity = WorkerMeter.PAIRS / 1000;
    for (int task = 0; task < 1000; task++) {
      new PairTable(capacity).memory(more -> bytes[0] += more);
    }
    assertTrue(bytes[0] < 12 << 20, () -> "bytes: " + bytes[0]);
    ComponentIndex components = components();
    List<PairCounter> counters = new ArrayList<>();
    for (int task = 0; task < 1000; task++) {
      counters.add(new PairCounter(capacity, components));
    }
    System.gc();
    for (int round = 0; round < 3; round++) {
      for (PairCounter counter : counters) {
        for (int target = 0; target < 1000; target++) {
          counter.add(target, 100);
        }
      }
      for (PairCounter counter : counters) {
        PairCounter.Rolled rolled = counter.roll();
        assertEquals(1000, sum(rolled));
        assertTrue(rolled.pairs().size() <= capacity);
      }
    }
  }
}
