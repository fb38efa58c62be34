package io.ballast.storm.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What all spouts saw between two instants.
 *
 * @param secs between them
 * @param acked flights whose tuple tree was complete then; of an interval of {@link AckLog} that
 *     lies partly outside the part
 * @param failed the same of failed and timed-out trees
 * @param latencies of those acked, from the instant a flight was due; of the intervals whose middle
 *     lies between
 */
record Flow(double secs, double acked, double failed, Latencies latencies) {

  /**
   * @param folder of the spouts' files
   * @param from of {@link System#nanoTime}
   * @param to the same, an interval ago at least, for a spout writes when one is over
   */
  static Flow between(Path folder, long from, long to) throws IOException {
    double acked = 0;
    double failed = 0;
    Latencies latencies = new Latencies();
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files =
          all.filter(file -> file.getFileName().toString().startsWith(AckLog.PREFIX))
              .sorted()
              .toList();
    }
    for (Path file : files) {
      String text = Files.readString(file);
      // A line that is being written is not there yet.
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        String[] cells = line.split("\t");
        long began = Long.parseLong(cells[0]);
        long ended = Long.parseLong(cells[1]);
        double share = Math.min(ended, to) - (double) Math.max(began, from);
        share /= ended - began;
        if (share > 0) {
          acked += share * Long.parseLong(cells[3]);
          failed += share * Long.parseLong(cells[4]);
        }
        long middle = began + (ended - began) / 2;
        if (middle >= from && middle < to) {
          latencies.add(Latencies.parse(cells[5]));
        }
      }
    }
    return new Flow((to - from) / 1e9, acked, failed, latencies);
  }

  double ackedPerSec() {
    return acked / secs;
  }

  double p50Ms() {
    return latencies.quantileMs(0.5);
  }

  double p99Ms() {
    return latencies.quantileMs(0.99);
  }
}
