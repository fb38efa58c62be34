package io.ballast.hook;

import java.util.List;

/**
 * What one worker did between two readings of its counters: the content of a report.
 *
 * @param nanos length of the interval by the worker's monotonic clock
 * @param uptimeMillis since the hook began in this worker
 * @param cpuNanos CPU time of the worker's process; negative: not measured
 * @param gcMillis time its garbage collectors worked; negative: not measured
 * @param serializationNanos CPU time of a tuple's serialization, the mean of the interval's
 *     samples; negative: not measured
 * @param node CPU time of its node
 * @param executors those that could be measured
 * @param faults how often each {@link Part} failed since the hook began, by ordinal
 */
record Interval(
    long nanos,
    long uptimeMillis,
    long cpuNanos,
    long gcMillis,
    long serializationNanos,
    Node node,
    List<Executor> executors,
    long[] faults) {

  /** The node's CPU. */
  record Node(NodeCpu.Kind kind, long cpuNanos, double cores) {
    static final Node UNKNOWN = new Node(NodeCpu.Kind.NONE, 0, 0);
  }

  /**
   * One executor.
   *
   * @param component number of its component
   * @param cpuNanos CPU time of its thread; negative: not measured
   * @param waitMicros mean time its tuples wait in its queue; negative: not measured
   */
  record Executor(
      int first, int last, int component, long cpuNanos, long waitMicros, List<Task> tasks) {}

  /**
   * One task.
   *
   * @param received tuples executed, or acked where it is a spout's
   * @param emitted emits
   * @param sent tuples these emits became
   * @param sized the bytes of the pairs are known
   */
  record Task(
      int task,
      long received,
      long emitted,
      long sent,
      boolean sized,
      PairCounter.Rolled traffic) {}
}
