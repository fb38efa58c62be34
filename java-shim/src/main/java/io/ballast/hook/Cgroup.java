package io.ballast.hook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A CPU cgroup, version 1 or 2, that has a quota.
 *
 * @param usage file with the CPU time used
 * @param version2 the file is {@code cpu.stat}, in microseconds; else {@code cpuacct.usage}, in
 *     nanoseconds
 * @param cores quota over period
 */
record Cgroup(Path usage, boolean version2, double cores) {

  /** The nearest one with a quota round this process, the worker's own left out; null: none. */
  static Cgroup limiting(Path proc, Path cgroups, String workerId) throws IOException {
    Path membership = proc.resolve("self/cgroup");
    if (!Files.isReadable(membership)) {
      return null;
    }
    for (String line : Files.readAllLines(membership)) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      if (parts[1].isEmpty()) {
        Cgroup found = climb(cgroups, parts[2], workerId, true);
        if (found != null) {
          return found;
        }
      } else if (("," + parts[1] + ",").contains(",cpu,")) {
        for (String mount : new String[] {parts[1], "cpu", "cpu,cpuacct"}) {
          Path root = cgroups.resolve(mount);
          Cgroup found = Files.isDirectory(root) ? climb(root, parts[2], workerId, false) : null;
          if (found != null) {
            return found;
          }
        }
      }
    }
    return null;
  }

  private static Cgroup climb(Path root, String path, String workerId, boolean version2)
      throws IOException {
    Path own = root.resolve(path.replaceFirst("^/+", "")).normalize();
    // Inside a container the path may be the host's, and the mount holds the container's own.
    Path folder = own.startsWith(root) && Files.isDirectory(own) ? own : root;
    for (Path at = folder; at.startsWith(root); at = at.getParent()) {
      if (!at.getFileName().toString().equals(workerId)) {
        Cgroup found = version2 ? second(at) : first(at);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private static Cgroup second(Path folder) throws IOException {
    Path limit = folder.resolve("cpu.max");
    Path usage = folder.resolve("cpu.stat");
    if (!Files.isReadable(limit) || !Files.isReadable(usage)) {
      return null;
    }
    String[] quota = Files.readString(limit).trim().split("\\s+");
    if (quota.length < 2 || quota[0].equals("max")) {
      return null;
    }
    return new Cgroup(usage, true, Double.parseDouble(quota[0]) / Double.parseDouble(quota[1]));
  }

  private static Cgroup first(Path folder) throws IOException {
    Path limit = folder.resolve("cpu.cfs_quota_us");
    Path period = folder.resolve("cpu.cfs_period_us");
    if (!Files.isReadable(limit) || !Files.isReadable(period)) {
      return null;
    }
    double quota = Double.parseDouble(Files.readString(limit).trim());
    if (quota <= 0) {
      return null;
    }
    Path usage = folder.resolve("cpuacct.usage");
    if (!Files.isReadable(usage)) {
      // The accounting controller may be mounted beside the one that limits.
      Path parent = folder;
      while (parent != null && !String.valueOf(parent.getFileName()).startsWith("cpu")) {
        parent = parent.getParent();
      }
      usage =
          parent == null
              ? usage
              : parent
                  .resolveSibling("cpuacct")
                  .resolve(parent.relativize(folder))
                  .resolve("cpuacct.usage");
    }
    double length = Double.parseDouble(Files.readString(period).trim());
    return Files.isReadable(usage) ? new Cgroup(usage, false, quota / length) : null;
  }

  /** CPU time used so far, nanoseconds. */
  long cpuNanos() throws IOException {
    if (!version2) {
      return Long.parseLong(Files.readString(usage).trim());
    }
    for (String line : Files.readAllLines(usage)) {
      if (line.startsWith("usage_usec ")) {
        return Long.parseLong(line.substring("usage_usec ".length()).trim()) * 1000;
      }
    }
    throw new IOException("no usage_usec in " + usage);
  }
}
