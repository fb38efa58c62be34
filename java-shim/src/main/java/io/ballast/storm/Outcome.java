package io.ballast.storm;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * What became of an applied plan: what it foretold, and what was measured once its workers were
 * back and old enough for their loads to count.
 *
 * @param plan id of the plan
 * @param generation of the snapshot that it was measured in
 * @param appliedAt wall clock
 * @param measuredAt wall clock
 * @param predicted load distance after the plan, as it foretold
 * @param measured load distance by the loads measured afterwards
 * @param pauses by restarted worker, seconds from the plan to its new process; a worker of which no
 *     uptime is known is absent
 * @param restarts restarted workers that were foretold
 */
record Outcome(
    String plan,
    long generation,
    Instant appliedAt,
    Instant measuredAt,
    double predicted,
    double measured,
    Map<WorkerSlot, Double> pauses,
    int restarts) {

  /** How far the plan was off. */
  double error() {
    return Math.abs(predicted - measured);
  }

  /** Mean pause of its workers, seconds. */
  OptionalDouble pauseSecs() {
    return pauses.values().stream().mapToDouble(secs -> secs).average();
  }

  /** For the log. */
  String sentence() {
    String text =
        String.format(
            Locale.ROOT,
            "%s foretold load distance %.3f, measured is %.3f",
            plan,
            predicted,
            measured);
    OptionalDouble longest = pauses.values().stream().mapToDouble(secs -> secs).max();
    if (longest.isEmpty()) {
      return text;
    }
    return String.format(
        Locale.ROOT,
        "%s; %d of %d restarted workers seen back after %.0f s in the mean, %.0f s at most",
        text,
        pauses.size(),
        restarts,
        pauseSecs().getAsDouble(),
        longest.getAsDouble());
  }

  /** For the record. */
  byte[] json() {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("ballast", "outcome");
    root.put("version", Wire.VERSION);
    root.put("plan", plan);
    root.put("generation", generation);
    root.put("applied_at", appliedAt.truncatedTo(ChronoUnit.MILLIS).toString());
    root.put("measured_at", measuredAt.truncatedTo(ChronoUnit.MILLIS).toString());
    root.put("load_distance_predicted", predicted);
    root.put("load_distance_measured", measured);
    root.put("restarts", restarts);
    List<Map<String, Object>> workers =
        pauses.entrySet().stream()
            .map(
                entry -> {
                  Map<String, Object> worker = new LinkedHashMap<>();
                  worker.put("node", entry.getKey().getNodeId());
                  worker.put("port", entry.getKey().getPort());
                  worker.put("pause_secs", Math.round(entry.getValue() * 10) / 10.0);
                  return worker;
                })
            .toList();
    root.put("workers", workers);
    try {
      return Wire.MAPPER.writeValueAsBytes(root);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
