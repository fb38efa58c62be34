package io.ballast.storm.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.storm.thrift.TException;

/**
 * What an operator can know of Ballast from outside: the scheduler status of the topology, which
 * names the plan that was applied, and the recorded rounds ({@code ballast.record.dir}), which hold
 * that plan. A plan counts as applied only if Storm's assignment is the plan's to the last
 * executor.
 */
final class BallastRecord {
  private static final Pattern APPLIED = Pattern.compile("applied .*(plan-[0-9a-f]+)");

  private final FlightsCluster cluster;
  private final Path rounds;
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, AppliedPlan> applied = new LinkedHashMap<>();
  private String status = "";

  /**
   * @param rounds folder of the recorded rounds
   */
  BallastRecord(FlightsCluster cluster, Path rounds) {
    this.cluster = cluster;
    this.rounds = rounds;
  }

  /** Looks at the topology's status and at what Storm assigned; call it about every second. */
  void look(Reading reading) throws TException, IOException {
    status = cluster.schedulerStatus();
    Matcher plan = APPLIED.matcher(status);
    if (plan.find() && !applied.containsKey(plan.group(1))) {
      Optional<JsonNode> reply = reply(plan.group(1));
      if (reply.isPresent() && assignment(reply.get()).equals(reading.slots())) {
        applied.put(plan.group(1), read(reply.get()));
      }
    }
  }

  /** Plans that the scheduler says it applied and that Storm's assignment bears out. */
  List<AppliedPlan> plans() {
    return List.copyOf(applied.values());
  }

  /** The topology's scheduler status as read last, empty if it has none. */
  String status() {
    return status;
  }

  private Optional<JsonNode> reply(String plan) throws IOException {
    if (!Files.isDirectory(rounds)) {
      return Optional.empty();
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(rounds)) {
      files = all.filter(file -> file.toString().endsWith("-reply.json")).toList();
    }
    for (Path file : files) {
      JsonNode reply = json.readTree(file.toFile());
      if (reply.path("id").asText().equals(plan)) {
        return Optional.of(reply);
      }
    }
    return Optional.empty();
  }

  /** The reply's assignment of the topology in the form of {@link Reading#slots()}. */
  private SortedMap<Long, Reading.Slot> assignment(JsonNode reply) {
    SortedMap<Long, Reading.Slot> slots = new TreeMap<>();
    for (JsonNode topology : reply.path("assignments")) {
      if (topology.path("topology").asText().equals(cluster.topologyId())) {
        for (JsonNode worker : topology.path("workers")) {
          Reading.Slot slot =
              new Reading.Slot(worker.path("node").asText(), worker.path("port").asLong());
          worker.path("executors").forEach(tasks -> slots.put(tasks.path(0).asLong(), slot));
        }
      }
    }
    return slots;
  }

  private static AppliedPlan read(JsonNode reply) {
    List<String> moves = new ArrayList<>();
    for (JsonNode move : reply.path("moves")) {
      moves.add(
          String.format(
              Locale.ROOT,
              "%s of %d: %s -> %s, %s",
              move.path("kind").asText(),
              move.path("executors").size(),
              place(move.path("from")),
              place(move.path("to")),
              move.path("because").asText()));
    }
    return new AppliedPlan(
        reply.path("id").asText(),
        reply.path("generation").asLong(),
        reply.path("cost").path("restarts").asInt(),
        reply.path("after").path("load_distance").asDouble(Double.NaN),
        moves);
  }

  private static String place(JsonNode slot) {
    String node = slot.path("node").asText("?");
    return node.substring(0, Math.min(8, node.length())) + ":" + slot.path("port").asText("?");
  }
}
