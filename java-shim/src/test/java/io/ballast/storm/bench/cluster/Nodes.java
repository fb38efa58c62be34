package io.ballast.storm.bench.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of a cluster of {@code scripts/storm-cluster} by their cgroups' own accounting.
 *
 * @param accounting folder of the cluster's groups, in which each supervisor has one
 * @param supervisors how many there are
 * @param cores size of each
 */
record Nodes(Path accounting, int supervisors, double cores) {
  /**
   * Unit of {@code /proc/PID/stat}; the kernel shows a hundredth of a second whatever it counts.
   */
  private static final double TICK_SECS = 0.01;

  /**
   * Seconds of CPU since the groups began.
   *
   * @param all of a node's group
   * @param daemons what of it processes used that are no workers: the supervisor, and the parents
   *     of workers that write their logs
   */
  record Used(double all, double daemons) {
    /** What the node's workers used since an earlier reading. */
    double workersSince(Used before) {
      return all - before.all - (daemons - before.daemons);
    }
  }

  /** By host. */
  Map<String, Used> used() throws IOException {
    Map<String, Used> used = new LinkedHashMap<>();
    for (int number = 1; number <= supervisors; number++) {
      Path group = group(number);
      double daemons = 0;
      for (long id : processes(group)) {
        if (!isWorker(id)) {
          daemons += cpuSecs(id);
        }
      }
      used.put("127.0.0." + (10 + number), new Used(groupSecs(group), daemons));
    }
    return used;
  }

  /** Resident memory of each worker, MiB. */
  List<Double> workersMib() throws IOException {
    List<Double> resident = new ArrayList<>();
    for (int number = 1; number <= supervisors; number++) {
      for (long id : processes(group(number))) {
        if (isWorker(id)) {
          for (String line : text(Path.of("/proc/" + id + "/status")).lines().toList()) {
            if (line.startsWith("VmRSS:")) {
              resident.add(Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024);
            }
          }
        }
      }
    }
    return resident;
  }

  private Path group(int number) {
    return accounting.resolve("supervisor-" + number);
  }

  private static double groupSecs(Path group) throws IOException {
    Path first = group.resolve("cpuacct.usage");
    if (Files.exists(first)) {
      return Long.parseLong(Files.readString(first).strip()) / 1e9;
    }
    for (String line : Files.readAllLines(group.resolve("cpu.stat"))) {
      if (line.startsWith("usage_usec ")) {
        return Long.parseLong(line.substring("usage_usec ".length())) / 1e6;
      }
    }
    throw new IOException(group + " has no accounting of CPU");
  }

  private static List<Long> processes(Path group) throws IOException {
    return Files.readAllLines(group.resolve("cgroup.procs")).stream().map(Long::valueOf).toList();
  }

  /** The parent that writes a worker's log has the worker's command in its own. */
  private static boolean isWorker(long id) throws IOException {
    List<String> words = List.of(text(Path.of("/proc/" + id + "/cmdline")).split("\0"));
    return words.contains("org.apache.storm.daemon.worker.Worker")
        && !words.contains("org.apache.storm.LogWriter");
  }

  private static double cpuSecs(long id) throws IOException {
    String stat = text(Path.of("/proc/" + id + "/stat"));
    if (stat.isEmpty()) {
      return 0;
    }
    // After the name, which stands in parentheses and may hold spaces: state is the first.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_SECS;
  }

  /** Empty where the process has gone meanwhile. */
  private static String text(Path file) throws IOException {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (NoSuchFileException gone) {
      return "";
    } catch (IOException e) {
      if ("No such process".equals(e.getMessage())) {
        return "";
      }
      throw e;
    }
  }
}
