package io.ballast.hook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * CPU time of the node a worker runs on. Where a CPU quota was put on a cgroup round it, the node
 * is that cgroup (the nearest one with a quota, a worker's own one left out); else it is the
 * machine. Linux only.
 */
final class NodeCpu {
  /** What was measured. */
  enum Kind {
    /** Nothing. */
    NONE,
    /** A cgroup with a quota. */
    CGROUP,
    /** The whole machine. */
    MACHINE
  }

  /**
   * A reading.
   *
   * @param cpuNanos CPU time since whenever
   * @param cores what there is
   */
  record Reading(Kind kind, long cpuNanos, double cores) {}

  private static final double PROC_TICK_NANOS = 1e7;

  private final Path proc;
  private final Cgroup cgroup;
  private Reading told;

  private NodeCpu(Path proc, Cgroup cgroup) {
    this.proc = proc;
    this.cgroup = cgroup;
  }

  /**
   * Looks where this process is.
   *
   * @param workerId Storm's id of the worker, the name of its own cgroup if it has one
   */
  static NodeCpu find(String workerId) throws IOException {
    return find(Path.of("/proc"), Path.of("/sys/fs/cgroup"), workerId);
  }

  static NodeCpu find(Path proc, Path cgroups, String workerId) throws IOException {
    NodeCpu found = new NodeCpu(proc, Cgroup.limiting(proc, cgroups, workerId));
    found.told = found.read();
    return found;
  }

  /** CPU time since the last call. */
  Interval.Node roll() throws IOException {
    Reading then = told;
    told = read();
    if (told == null || then == null || told.cpuNanos() < then.cpuNanos()) {
      return Interval.Node.UNKNOWN;
    }
    return new Interval.Node(told.kind(), told.cpuNanos() - then.cpuNanos(), told.cores());
  }

  private Reading read() throws IOException {
    return cgroup != null
        ? new Reading(Kind.CGROUP, cgroup.cpuNanos(), cgroup.cores())
        : machine(proc.resolve("stat"));
  }

  /** All time but idle, waiting for disks, and what a hypervisor took away; proc(5). */
  private static Reading machine(Path stat) throws IOException {
    if (!Files.isReadable(stat)) {
      return null;
    }
    List<String> lines = Files.readAllLines(stat);
    String[] all = lines.get(0).trim().split("\\s+");
    if (all.length < 8 || !all[0].equals("cpu")) {
      return null;
    }
    long ticks = 0;
    for (int field : new int[] {1, 2, 3, 6, 7}) {
      ticks += Long.parseLong(all[field]);
    }
    long cores = lines.stream().filter(line -> line.matches("cpu[0-9]+ .*")).count();
    return new Reading(Kind.MACHINE, (long) (ticks * PROC_TICK_NANOS), cores);
  }
}
