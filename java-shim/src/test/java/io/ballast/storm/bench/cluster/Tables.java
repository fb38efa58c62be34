package io.ballast.storm.bench.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.StreamSupport;

/** Markdown of one part's runs, medians with the spread beside them. */
final class Tables {
  private final List<JsonNode> runs;

  private Tables(List<JsonNode> runs) {
    this.runs = runs;
  }

  /** Takes {@code -Dbench.results}, lines of JSON, and {@code -Dbench.samples}. */
  public static void main(String[] none) throws IOException {
    List<JsonNode> runs = new ArrayList<>();
    for (String line : Files.readAllLines(Setting.path("results"))) {
      runs.add(new ObjectMapper().readTree(line));
    }
    System.out.print(
        new Tables(runs).markdown()
            + String.format(
                Locale.ROOT,
                "%nA millisecond's work is %.0f bootstrap samples here.%n",
                Setting.number("samples")));
  }

  static String markdown(List<JsonNode> runs) {
    return new Tables(runs).markdown();
  }

  private String markdown() {
    return switch (runs.get(0).path("part").asText()) {
      case "hook" -> hook();
      case "nimbus" -> nimbus();
      default -> rates();
    };
  }

  private String rates() {
    StringBuilder text = new StringBuilder();
    row(
        text,
        "scheduler",
        "runs",
        "sustainable, flights/s",
        "times Default's",
        "p50 at 50 %, ms",
        "p99 at 50 %, ms",
        "p50 at 80 %, ms",
        "p99 at 80 %, ms",
        "CPU a flight at 80 %, ms",
        "load distance at 80 %",
        "50 % held, 80 % held",
        "restarts, warm-up",
        "restarts, later");
    rule(text, 13);
    for (String scheduler : List.of("default", "resource-aware", "ballast")) {
      List<JsonNode> of = where("scheduler", scheduler);
      if (of.isEmpty()) {
        continue;
      }
      row(
          text,
          scheduler,
          String.valueOf(of.size()),
          spread(of, "sustainable", "%.0f"),
          spread(of, run -> number(run, "sustainable") / base(run), "%.2f"),
          spread(of, "p50_50", "%.1f"),
          spread(of, "p99_50", "%.0f"),
          spread(of, "p50_80", "%.1f"),
          spread(of, "p99_80", "%.0f"),
          spread(of, "cpu_ms_80", "%.2f"),
          spread(of, "distance_80", "%.3f"),
          held(of, "held_50") + ", " + held(of, "held_80"),
          spread(of, "restarts_warm", "%.0f"),
          spread(of, run -> number(run, "restarts") - number(run, "restarts_warm"), "%.0f"));
    }
    List<Double> errors =
        where("scheduler", "ballast").stream()
            .flatMap(run -> StreamSupport.stream(run.path("errors").spliterator(), false))
            .map(JsonNode::asDouble)
            .toList();
    text.append(
        String.format(
            Locale.ROOT,
            "%nPrediction error of load distance, %d plans that were measured in the warm-up: %s.%n",
            errors.size(),
            Spread.of(errors).text("%.3f")));
    return text.toString();
  }

  private static String held(List<JsonNode> runs, String field) {
    long held = runs.stream().filter(run -> run.path(field).asBoolean()).count();
    return held + " of " + runs.size();
  }

  /** Default's rate in the same round. */
  private double base(JsonNode run) {
    return where("scheduler", "default").stream()
        .filter(other -> other.path("round").equals(run.path("round")))
        .mapToDouble(other -> number(other, "sustainable"))
        .findFirst()
        .orElse(Double.NaN);
  }

  private String hook() {
    StringBuilder text = new StringBuilder();
    List<JsonNode> on = where("hook", "on");
    List<JsonNode> off = where("hook", "off");
    List<Double> ratios = new ArrayList<>();
    for (JsonNode with : on) {
      for (JsonNode without : off) {
        if (with.path("round").equals(without.path("round"))) {
          ratios.add(number(with, "acked") / number(without, "acked"));
        }
      }
    }
    row(
        text,
        "hook",
        "acked, flights/s",
        "on / off, pairs of runs",
        "resident memory a worker, MiB");
    rule(text, 4);
    row(text, "off", spread(off, "acked", "%.0f"), "", spread(off, "rss_mib", "%.0f"));
    row(
        text,
        "on",
        spread(on, "acked", "%.0f"),
        Spread.of(ratios).text("%.3f"),
        spread(on, "rss_mib", "%.0f"));
    text.append(String.format("%n"));
    row(
        text,
        "node",
        "workers' cores by the cgroup, hook on",
        "by the hook / by the cgroup",
        "workers' cores by the cgroup, hook off",
        "by Storm's statistics / by the cgroup");
    rule(text, 5);
    List<String> hosts = new ArrayList<>();
    runs.get(0).path("cgroup").fieldNames().forEachRemaining(hosts::add);
    for (String host : hosts) {
      row(
          text,
          host,
          spread(on, run -> number(run.path("cgroup"), host), "%.3f"),
          spread(on, run -> told(run, host, "hook"), "%.3f"),
          spread(off, run -> number(run.path("cgroup"), host), "%.3f"),
          spread(off, run -> told(run, host, "stats"), "%.3f"));
    }
    return text.toString();
  }

  private String nimbus() {
    StringBuilder text = new StringBuilder();
    row(text, "hook", "Nimbus", "runs", "acked, flights/s", "held", "failed", "p50, ms", "p99, ms");
    rule(text, 8);
    for (String hook : List.of("on", "off")) {
      for (String nimbus : List.of("alive", "dead")) {
        List<JsonNode> of =
            where("hook", hook).stream()
                .filter(run -> run.path("nimbus").asText().equals(nimbus))
                .toList();
        row(
            text,
            hook,
            nimbus,
            String.valueOf(of.size()),
            spread(of, "acked", "%.0f"),
            held(of, "held"),
            spread(of, "failed", "%.0f"),
            spread(of, "p50", "%.1f"),
            spread(of, "p99", "%.0f"));
      }
    }
    return text.toString();
  }

  private static double told(JsonNode run, String host, String source) {
    return number(run.path("told").path(host), source) / number(run.path("cgroup"), host);
  }

  private List<JsonNode> where(String field, String value) {
    return runs.stream().filter(run -> run.path(field).asText().equals(value)).toList();
  }

  private static String spread(List<JsonNode> runs, String field, String format) {
    return spread(runs, run -> number(run, field), format);
  }

  private static String spread(
      List<JsonNode> runs, ToDoubleFunction<JsonNode> figure, String format) {
    return Spread.of(runs.stream().map(figure::applyAsDouble).toList()).text(format);
  }

  /** A figure that a run lacks is missing, not zero. */
  private static double number(JsonNode of, String field) {
    return of.path(field).asDouble(Double.NaN);
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |").append(System.lineSeparator());
  }

  private static void rule(StringBuilder text, int columns) {
    text.append("|").append("---|".repeat(columns)).append(System.lineSeparator());
  }
}
