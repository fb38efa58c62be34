package io.ballast.hook;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/** What the hook adds to a tuple on its own thread, beside no hook. Prints a Markdown table. */
final class TuplePathBench {
  private static final int ROUNDS = 9;
  private static final List<Object> VALUES = List.of("x".repeat(100));

  /** Something the compiler must not leave out. */
  private static volatile int sink;

  private TuplePathBench() {}

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    System.out.println(
        "| what | without, ns | with the hook, ns | added, ns a tuple sent or executed |");
    System.out.println("|---|---|---|---|");
    emits("an emit to one of 8 tasks", 8, 1, 4_000_000);
    emits("an emit to one of 1,000 tasks, all tasks in one worker", 1000, 1, 2_000_000);
    emits("an emit to 1,000 tasks at once, all tasks in one worker", 1000, 1000, 20_000);
    executes(4_000_000);
    System.exit(0);
  }

  private static void emits(String what, int bolts, int targets, int tuples) {
    List<List<Integer>> turns = new ArrayList<>();
    for (int turn = 0; turn < bolts; turn++) {
      int from = turn;
      turns.add(IntStream.range(0, targets).mapToObj(i -> 2 + (from + i) % bolts).toList());
    }
    compare(
        what,
        bolts,
        1,
        tuples,
        targets,
        context -> {
          List<List<Integer>> to = turns.stream().<List<Integer>>map(ArrayList::new).toList();
          return i -> {
            List<Integer> outTasks = to.get(i % bolts);
            // As Task.getOutgoingTasks does.
            if (!context.getHooks().isEmpty()) {
              new EmitInfo(VALUES, "default", 1, outTasks).applyOn(context);
            }
            sink = outTasks.size();
          };
        });
  }

  private static void executes(int tuples) {
    compare(
        "an execute",
        8,
        2,
        tuples,
        1,
        context -> {
          Tuple tuple = new TupleImpl(context, VALUES, "words", 1, "default");
          return i -> {
            // As BoltExecutor.tupleActionFn does.
            if (!context.getHooks().isEmpty()) {
              new BoltExecuteInfo(tuple, 2, -1L).applyOn(context);
            }
            sink = i;
          };
        });
  }

  private interface Path {
    IntConsumer on(TopologyContext context);
  }

  private static void compare(
      String what, int bolts, int task, int tuples, int targets, Path path) {
    try (Contexts contexts = new Contexts(6700, bolts, true)) {
      TopologyContext without = contexts.of(task);
      TopologyContext with = contexts.of(task);
      with.addTaskHook(new TelemetryHook());
      IntConsumer off = path.on(without);
      IntConsumer on = path.on(with);
      double[] offNanos = new double[ROUNDS];
      double[] onNanos = new double[ROUNDS];
      for (int round = -3; round < ROUNDS; round++) {
        double one = nanos(off, tuples);
        double other = nanos(on, tuples);
        if (round >= 0) {
          offNanos[round] = one;
          onNanos[round] = other;
        }
      }
      double added = (median(onNanos) - median(offNanos)) / targets;
      System.out.printf("| %s | %s | %s | %.1f |%n", what, told(offNanos), told(onNanos), added);
      with.getHooks().forEach(ITaskHook::cleanup);
    }
  }

  private static double nanos(IntConsumer path, int tuples) {
    long began = System.nanoTime();
    for (int i = 0; i < tuples; i++) {
      path.accept(i);
    }
    return (System.nanoTime() - began) / (double) tuples;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static String told(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return String.format("%.1f (%.1f-%.1f)", median(values), sorted[0], sorted[sorted.length - 1]);
  }
}
