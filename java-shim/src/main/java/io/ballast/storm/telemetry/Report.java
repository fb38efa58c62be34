package io.ballast.storm.telemetry;

import java.util.List;

/**
 * What one worker did in an interval, as it says. Times not measured are negative.
 *
 * @param nanos length of the interval by the worker's monotonic clock
 * @param uptimeMillis since its hook began
 * @param host as the worker names it
 * @param port the worker's port
 * @param cpuNanos CPU time of its process
 * @param gcMillis time its garbage collectors worked
 * @param serializationNanos CPU time of a tuple's serialization, the mean of some
 * @param faults how often parts of the hook failed, by the numbers of the format
 * @param components names by number
 */
record Report(
    long nanos,
    long uptimeMillis,
    String host,
    int port,
    long cpuNanos,
    long gcMillis,
    long serializationNanos,
    Node node,
    List<Long> faults,
    List<String> components,
    List<Executor> executors) {

  /**
   * CPU of the node; {@code kind} 0: nothing was measured, 1: a cgroup with a quota, 2: machine.
   */
  record Node(int kind, long cpuNanos, double cores) {}

  record Executor(
      int first, int last, int component, long cpuNanos, long waitMicros, List<Task> tasks) {}

  record Task(
      int task,
      long received,
      long emitted,
      long sent,
      boolean sized,
      List<Pair> pairs,
      List<Rest> rest) {

    /** What the executor's CPU time is shared out by. */
    long work() {
      return received + emitted + sent;
    }
  }

  /** Tuples to one task; {@code bytes} means nothing where the task is not sized. */
  record Pair(int target, long tuples, long bytes) {}

  /** Tuples to tasks of one component that no pair tells. */
  record Rest(int component, long tuples, long bytes) {}
}
