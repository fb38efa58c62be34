package io.ballast.hook;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** CPU time of the worker's process and the time its garbage collectors worked. */
final class WorkerCpu {
  private final boolean alone;
  private long cpuTold = -1;
  private long gcTold = -1;

  /**
   * @param alone the process is this worker's; in a LocalCluster it is everybody's, so nothing can
   *     be said of one
   */
  WorkerCpu(boolean alone) {
    this.alone = alone;
    rollCpu();
    rollGc();
  }

  /** Nanoseconds since the last call; negative: not measured. */
  long rollCpu() {
    long now = alone ? processCpu() : -1;
    long since = now < 0 || cpuTold < 0 ? -1 : now - cpuTold;
    cpuTold = now;
    return since;
  }

  private static long processCpu() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? os.getProcessCpuTime()
        : -1;
  }

  /** Milliseconds since the last call; negative: not measured. */
  long rollGc() {
    long now = -1;
    if (alone) {
      now = 0;
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        now += Math.max(0, collector.getCollectionTime());
      }
    }
    long since = now < 0 || gcTold < 0 ? -1 : now - gcTold;
    gcTold = now;
    return since;
  }
}
