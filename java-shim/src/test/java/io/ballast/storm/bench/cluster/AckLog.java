package io.ballast.storm.bench.cluster;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What one spout task saw, a line an interval of about a fifth of a second, in a file of its own:
 *
 * <pre>
 * FROM-NANOS  TO-NANOS  EMITTED  ACKED  FAILED  LATENCIES
 * </pre>
 *
 * <p>Nanoseconds of {@link System#nanoTime}, which on Linux is one clock for all processes of the
 * machine.
 */
final class AckLog {
  static final String PREFIX = "acks-";
  static final long INTERVAL_NANOS = 200_000_000L;

  private final BufferedWriter file;
  private final Latencies latencies = new Latencies();
  private long from;
  private long emitted;
  private long acked;
  private long failed;

  /**
   * @param task Storm's number of the task; every process that runs it has a file of its own
   */
  AckLog(Path folder, int task, long nowNanos) throws IOException {
    String name = PREFIX + task + "-" + ProcessHandle.current().pid() + "-" + nowNanos;
    this.file = Files.newBufferedWriter(folder.resolve(name));
    this.from = nowNanos;
  }

  void emitted() {
    emitted++;
  }

  void acked(long latencyNanos) {
    acked++;
    latencies.add(latencyNanos / 1000);
  }

  void failed() {
    failed++;
  }

  /** Writes a line if an interval is over. */
  void look(long nowNanos) throws IOException {
    if (nowNanos - from < INTERVAL_NANOS) {
      return;
    }
    file.write(
        "%d\t%d\t%d\t%d\t%d\t%s%n".formatted(from, nowNanos, emitted, acked, failed, latencies));
    file.flush();
    from = nowNanos;
    emitted = 0;
    acked = 0;
    failed = 0;
    latencies.clear();
  }
}
