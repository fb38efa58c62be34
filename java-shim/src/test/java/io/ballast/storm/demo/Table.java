package io.ballast.storm.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The demo's picture of the cluster as lines of text, node by node, before and now. */
final class Table {
  /** A row fits into the 80 columns of a terminal: one that wraps could not be drawn over. */
  private static final int NAME = 19;

  private static final int BAR = 14;
  private static final int CELL = BAR + 8;
  private static final String NOTHING = "-";

  private final boolean color;

  /**
   * @param color bars far from the mean are red, the others green (ANSI)
   */
  Table(boolean color) {
    this.color = color;
  }

  List<String> lines(View view) {
    List<String> lines = new ArrayList<>();
    lines.add(row("node", "utilization before", "now", "workers, execs"));
    List<Measured.Node> shape = view.now().or(view::before).map(Measured::nodes).orElse(List.of());
    for (int node = 0; node < shape.size(); node++) {
      lines.add(
          row(
              shape.get(node).id().substring(0, 8),
              bar(view.before(), node),
              bar(view.now(), node),
              "%d, %d".formatted(shape.get(node).workers(), shape.get(node).executors())));
    }
    lines.add(figure("load distance", view, "%.3f", Measured::loadDistance, predicted(view)));
    lines.add(figure("tuples a second", view, "%.0f", Measured::tuplesPerSec, ""));
    lines.add(figure("complete latency", view, "%.1f ms", Measured::completeMillis, ""));
    lines.add(figure("failed tuple trees", view, "%.0f", m -> (double) m.failed(), ""));
    lines.add(
        row(
            "restarts spent",
            NOTHING,
            view.plans().isEmpty() ? NOTHING : view.restarts() + "",
            ""));
    return lines;
  }

  private static String predicted(View view) {
    return view.plans().isEmpty()
        ? ""
        : text("predicted %.3f", view.plans().get(view.plans().size() - 1).predicted());
  }

  private static String figure(
      String name, View view, String format, Function<Measured, Double> value, String remark) {
    return row(
        name,
        view.before().map(m -> text(format, value.apply(m))).orElse(NOTHING),
        view.now().map(m -> text(format, value.apply(m))).orElse(NOTHING),
        remark);
  }

  private String bar(Optional<Measured> measured, int index) {
    if (measured.isEmpty()) {
      return NOTHING;
    }
    double mean = measured.get().meanUtilization();
    double utilization = measured.get().nodes().get(index).utilization();
    int full = (int) Math.round(Math.max(0, Math.min(1, utilization)) * BAR);
    String bar = "#".repeat(full) + ".".repeat(BAR - full);
    if (color) {
      String code = Math.abs(utilization - mean) > 0.1 ? "31" : "32";
      bar = "\u001b[" + code + "m" + bar + "\u001b[0m";
    }
    return bar + text(" %5.2f", utilization);
  }

  private static String row(String name, String before, String now, String remark) {
    return (pad(name, NAME) + pad(before, CELL) + pad(now, CELL) + remark).stripTrailing();
  }

  /** Pads by what is seen: color codes take no room. */
  private static String pad(String text, int width) {
    int seen = text.replaceAll("\u001b\\[[0-9;]*m", "").length();
    return text + " ".repeat(Math.max(0, width - seen));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
