package io.ballast.storm.bench.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Figures of several runs.
 *
 * @param sorted ascending, not empty
 */
record Spread(List<Double> sorted) {
  static Spread of(Collection<Double> values) {
    return new Spread(values.stream().sorted().toList());
  }

  /** Of an even number the mean of the two in the middle. */
  double median() {
    int size = sorted.size();
    return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
  }

  /**
   * {@code median (least-most)}, {@code -} of none.
   *
   * @param format of one figure, such as {@code %.1f}
   */
  String text(String format) {
    if (sorted.isEmpty()) {
      return "-";
    }
    return String.format(
        Locale.ROOT,
        format + " (" + format + "-" + format + ")",
        median(),
        sorted.get(0),
        sorted.get(sorted.size() - 1));
  }
}
