package io.ballast.storm.bench.cluster;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Latencies counted in buckets that grow with them: 16 to each power of two, so a quantile is off
 * by 1/16 of itself at most, whatever its size.
 */
final class Latencies {
  private static final int BITS = 4;

  private final TreeMap<Integer, Long> counts = new TreeMap<>();

  /**
   * @param micros microseconds; less than none counts as none
   */
  void add(long micros) {
    counts.merge(bucket(Math.max(0, micros)), 1L, Long::sum);
  }

  void add(Latencies others) {
    others.counts.forEach((bucket, count) -> counts.merge(bucket, count, Long::sum));
  }

  long count() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The upper end of the bucket in which the quantile lies, ms; NaN where nothing was counted.
   *
   * @param share 0.99 for the 99th percentile
   */
  double quantileMs(double share) {
    long rank = Math.max(1, (long) Math.ceil(share * count()));
    long seen = 0;
    for (Map.Entry<Integer, Long> bucket : counts.entrySet()) {
      seen += bucket.getValue();
      if (seen >= rank) {
        return (lowest(bucket.getKey() + 1) - 1) / 1e3;
      }
    }
    return Double.NaN;
  }

  void clear() {
    counts.clear();
  }

  /** {@code bucket:count,bucket:count}; {@code -} where nothing was counted. */
  @Override
  public String toString() {
    return counts.isEmpty()
        ? "-"
        : counts.entrySet().stream()
            .map(bucket -> bucket.getKey() + ":" + bucket.getValue())
            .collect(Collectors.joining(","));
  }

  /** What {@link #toString} wrote. */
  static Latencies parse(String text) {
    Latencies latencies = new Latencies();
    if (!text.equals("-")) {
      for (String bucket : text.split(",")) {
        int colon = bucket.indexOf(':');
        latencies.counts.put(
            Integer.parseInt(bucket.substring(0, colon)),
            Long.parseLong(bucket.substring(colon + 1)));
      }
    }
    return latencies;
  }

  private static int bucket(long micros) {
    int shift = Math.max(0, 63 - Long.numberOfLeadingZeros(micros | 1) - BITS);
    return (shift << BITS) + (int) (micros >>> shift);
  }

  /** The smallest value of a bucket, microseconds. */
  private static long lowest(int bucket) {
    int shift = Math.max(0, (bucket >> BITS) - 1);
    return (long) (bucket - (shift << BITS)) << shift;
  }
}
