package io.ballast.storm.telemetry;

import java.util.List;

/**
 * What the hook measured of a worker, means over its last reports.
 *
 * @param host as the worker names it; which supervisor that is, the assignment of its tasks tells
 * @param tasks of its executors, Storm's own of the worker left out
 * @param cores CPU time of its process a second; NaN: not measured (LocalCluster: no process of its
 *     own)
 * @param overheadCores what of it no executor used: messaging, garbage collection, compiler,
 *     Storm's own system task; NaN: not measured, or some executor was not
 * @param gcFraction part of the time its garbage collectors worked; NaN: not measured
 * @param serializationMicros CPU time that serializing one of its tuples takes; NaN: not measured
 * @param node its node, as read by this worker; null: not measured
 * @param uptimeSecs since the hook began in it
 * @param ageSecs since its newest report came in
 */
public record WorkerFigures(
    String host,
    int port,
    List<Integer> tasks,
    double cores,
    double overheadCores,
    double gcFraction,
    double serializationMicros,
    Node node,
    double uptimeSecs,
    double ageSecs) {

  /**
   * CPU of a node, the newest reading.
   *
   * @param machine the whole machine; else a cgroup with a quota, which is what the node may use
   * @param usedCores CPU time a second, everything on the node included
   * @param cores what there is
   */
  public record Node(boolean machine, double usedCores, double cores) {}
}
