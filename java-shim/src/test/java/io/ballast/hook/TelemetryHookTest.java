package io.ballast.hook;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.TupleImpl;
import org.junit.jupiter.api.Test;

/** The hook as Storm calls it, on Storm's own contexts. */
class TelemetryHookTest {
  private static TelemetryHook hook(Contexts contexts, TopologyContext context) {
    TelemetryHook hook = new TelemetryHook();
    hook.prepare(contexts.conf, context);
    return hook;
  }

  private static Interval.Task only(Interval interval, int task) {
    return interval.executors().stream()
        .flatMap(executor -> executor.tasks().stream())
        .filter(one -> one.task() == task)
        .findFirst()
        .orElseThrow();
  }

  private static EmitInfo emit(int from, Integer... to) {
    return new EmitInfo(List.of("x".repeat(50)), "default", from, Arrays.asList(to));
  }

  private static BoltExecuteInfo execute(TopologyContext context, int from, int task) {
    return new BoltExecuteInfo(
        new TupleImpl(context, List.of("x"), "words", from, "default"), task, null);
  }

  @Test
  void countsAreExact() {
    try (Contexts contexts = new Contexts(6700, 3, true)) {
      TopologyContext spoutContext = contexts.of(1);
      TelemetryHook spout = hook(contexts, spoutContext);
      TelemetryHook bolt = hook(contexts, contexts.of(3));
      WorkerMeter worker = WorkerMeter.join(contexts.conf, spoutContext);
      for (int i = 0; i < 1000; i++) {
        spout.emit(emit(1, 2, 3));
        spout.emit(emit(1, 4));
      }
      spout.emit(new EmitInfo(List.of("x"), "default", 1, Collections.singletonList(null)));
      spout.spoutAck(new SpoutAckInfo("id", 1, null));
      for (int i = 0; i < 700; i++) {
        bolt.boltExecute(execute(spoutContext, 1, 3));
      }
      bolt.boltExecute(execute(spoutContext, -1, 3));
      Interval told = worker.roll();
      Interval.Task one = only(told, 1);
      assertEquals(2001, one.emitted());
      assertEquals(3000, one.sent());
      assertEquals(1, one.received());
      assertTrue(one.sized());
      assertEquals(
          List.of("2 1000", "3 1000", "4 1000"),
          one.traffic().pairs().stream()
              .map(pair -> pair.target() + " " + pair.tuples())
              .sorted()
              .toList());
      long bytes = one.traffic().pairs().get(0).bytes() / StreamSizes.FRACTION / 1000;
      assertTrue(bytes > 60 && bytes < 100, () -> "bytes a tuple: " + bytes);
      assertEquals(700, only(told, 3).received(), "a tick is no tuple");
      assertEquals(0, only(worker.roll(), 3).received());
      spout.cleanup();
      bolt.cleanup();
      worker.leave();
    }
  }

  /** Against what the thread reads of itself, while the worker is busy elsewhere too. */
  @Test
  void cpuOfAnExecutorIsItsOwnThreads() throws Exception {
    try (Contexts contexts = new Contexts(6700, 1, true)) {
      TopologyContext context = contexts.of(2);
      TelemetryHook bolt = hook(contexts, context);
      WorkerMeter worker = WorkerMeter.join(contexts.conf, context);
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      AtomicLong own = new AtomicLong();
      Semaphore go = new Semaphore(0);
      Thread executor =
          new Thread(
              () -> {
                bolt.boltExecute(execute(context, 1, 2));
                own.set(-threads.getCurrentThreadCpuTime());
                go.acquireUninterruptibly();
                long until = threads.getCurrentThreadCpuTime() + 300_000_000L;
                while (threads.getCurrentThreadCpuTime() < until) {
                  bolt.boltExecute(execute(context, 1, 2));
                }
                own.addAndGet(threads.getCurrentThreadCpuTime());
                go.acquireUninterruptibly();
              });
      executor.start();
      await().atMost(Duration.ofSeconds(30)).until(() -> own.get() < 0);
      assertEquals(-1, worker.roll().executors().get(0).cpuNanos(), "nothing to compare with yet");
      go.release();
      await().atMost(Duration.ofSeconds(60)).until(() -> own.get() > 0);
      Interval told = worker.roll();
      long cpu = told.executors().get(0).cpuNanos();
      assertEquals(own.get(), cpu, own.get() * 0.02 + 2e6);
      assertTrue(told.cpuNanos() >= cpu * 0.95, told::toString);
      assertTrue(told.gcMillis() >= 0);
      go.release();
      executor.join();
      assertEquals(-1, worker.roll().executors().get(0).cpuNanos(), "a thread that is no more");
      bolt.cleanup();
      worker.leave();
    }
  }

  /** A spout that finds nothing to emit is busy all the same. */
  @Test
  void threadsWithoutTuplesAreFoundByTheNameStormGivesThem() throws Exception {
    try (Contexts contexts = new Contexts(6700, 1, true)) {
      TelemetryHook spout = hook(contexts, contexts.of(1));
      WorkerMeter worker = WorkerMeter.join(contexts.conf, contexts.of(1));
      Semaphore go = new Semaphore(0);
      Thread thread =
          new Thread(() -> go.acquireUninterruptibly(), "Thread-7-words-executor[1, 1]");
      thread.start();
      worker.roll();
      assertTrue(worker.roll().executors().get(0).cpuNanos() >= 0);
      go.release();
      thread.join();
      spout.cleanup();
      worker.leave();
    }
  }

  @Test
  void whatIsThrownInsideReachesNobodyAndIsToldOnce() {
    try (Contexts contexts = new Contexts(6700, 2, true)) {
      TopologyContext context = contexts.of(2);
      TelemetryHook broken = hook(contexts, context);
      TelemetryHook whole = hook(contexts, contexts.of(3));
      WorkerMeter worker = WorkerMeter.join(contexts.conf, context);
      List<Integer> explosive =
          new AbstractList<>() {
            @Override
            public Integer get(int index) {
              throw new StackOverflowError("on purpose");
            }

            @Override
            public int size() {
              return 1;
            }
          };
      broken.emit(emit(2, 3));
      broken.emit(new EmitInfo(List.of("x"), "default", 2, explosive));
      broken.emit(new EmitInfo(List.of("x"), "default", 2, explosive));
      broken.emit(emit(2, 3));
      whole.emit(emit(3, 2));
      assertEquals(1, worker.faults().of(Part.TUPLES), "left alone after the first");
      Interval told = worker.roll();
      assertEquals(
          List.of(3),
          told.executors().stream().map(Interval.Executor::first).toList(),
          "missing, not too low");
      assertEquals(1, told.faults()[Part.TUPLES.ordinal()]);
      broken.cleanup();
      whole.cleanup();
      worker.leave();
    }
  }

  @Test
  void aHookThatCannotBePreparedIsSilent() {
    TelemetryHook hook = new TelemetryHook();
    hook.prepare(null, null);
    hook.emit(emit(1, 2));
    hook.boltExecute(null);
    hook.spoutAck(null);
    hook.cleanup();
    try (Contexts contexts = new Contexts(6700, 1, true)) {
      TelemetryHook bolt = hook(contexts, contexts.of(2));
      bolt.emit(null);
      bolt.emit(null);
      bolt.cleanup();
      bolt.emit(emit(2, 1));
    }
    assertEquals(0, WorkerMeter.count());
  }

  @Test
  void stormsOwnTaskOfAWorkerIsItsOverhead() {
    try (Contexts contexts = new Contexts(6700, 1, true)) {
      WorkerMeter worker = WorkerMeter.join(contexts.conf, contexts.of(-1));
      assertNull(worker.meter(contexts.of(-1)));
      assertEquals(List.of(), worker.roll().executors());
      worker.leave();
    }
  }

  /** A LocalCluster: workers of one process, topology and port come back after a restart. */
  @Test
  void workersOfOneProcessAreKeptApartAndLeaveNothing() {
    Contexts first = new Contexts(6700, 1, false);
    Contexts second = new Contexts(6700, 1, false);
    TelemetryHook one = hook(first, first.of(1));
    WorkerMeter worker = WorkerMeter.join(first.conf, first.of(1));
    // The new one begins before the old one has ended.
    TelemetryHook two = hook(second, second.of(1));
    WorkerMeter other = WorkerMeter.join(second.conf, second.of(1));
    assertNotSame(worker, other);
    assertSame(worker, WorkerMeter.join(first.conf, first.of(2)));
    assertEquals(2, WorkerMeter.count());
    assertEquals(-1, worker.roll().cpuNanos(), "a process of all is nobody's");
    one.cleanup();
    worker.leave();
    assertEquals(2, WorkerMeter.count(), "one task is still there");
    worker.leave();
    assertEquals(1, WorkerMeter.count());
    // This one's tasks never say that they end, but Storm has closed the worker.
    second.close();
    await().atMost(Duration.ofSeconds(30)).until(() -> WorkerMeter.count() == 0);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(t -> t.getName().startsWith("ballast-telemetry-made-up")));
    two.cleanup();
    first.close();
    assertFalse(WorkerMeter.count() > 0);
  }
}
