package io.ballast.storm;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.scheduler.ExecutorDetails;

/**
 * Where the copies of one topology's states should lie, as it is remembered, and stored for whoever
 * stores the states. The JSON is described in the README; a field may be added to it.
 *
 * @param topology its id
 * @param generation of the snapshot it answers; a new leader counts from 1 again
 * @param takenAt when that snapshot was taken, to the millisecond: of two, the later one holds
 * @param states every executor with a state, by task
 */
record TopologyAdvice(String topology, long generation, Instant takenAt, List<State> states) {
  /** How the text of every such file begins, and of no other. */
  static final String HEADER = "{\"ballast\":\"advice\",";

  /**
   * One executor's state.
   *
   * @param component of the executor
   * @param bytes size of the state
   * @param estimated nobody measured it
   * @param copies the restart target first
   */
  record State(
      ExecutorDetails executor,
      String component,
      long bytes,
      boolean estimated,
      List<Node> copies) {

    /** The same with other copies. */
    State on(List<Node> others) {
      return new State(executor, component, bytes, estimated, others);
    }
  }

  /**
   * A supervisor.
   *
   * @param host null: it was not in the snapshot
   */
  record Node(String id, String host) {}

  /** The copies lie where the other's do; sizes may differ. */
  boolean agrees(TopologyAdvice other) {
    return other != null && places().equals(other.places());
  }

  private List<Object> places() {
    List<Object> places = new ArrayList<>();
    for (State state : states) {
      places.add(state.executor());
      places.add(state.copies());
    }
    return places;
  }

  byte[] json() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = Wire.MAPPER.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("ballast", "advice");
      json.writeNumberField("version", Wire.VERSION);
      json.writeStringField("topology", topology);
      json.writeNumberField("generation", generation);
      json.writeStringField("taken_at", takenAt.toString());
      json.writeArrayFieldStart("states");
      for (State state : states) {
        write(json, state);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator json, State state) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("tasks");
    json.writeNumber(state.executor().getStartTask());
    json.writeNumber(state.executor().getEndTask());
    json.writeEndArray();
    json.writeStringField("component", state.component());
    json.writeNumberField("state_bytes", state.bytes());
    json.writeBooleanField("estimated", state.estimated());
    json.writeArrayFieldStart("copies");
    for (Node node : state.copies()) {
      json.writeStartObject();
      json.writeStringField("id", node.id());
      if (node.host() != null) {
        json.writeStringField("host", node.host());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /**
   * Reads what {@link #json} wrote.
   *
   * @throws IOException if it is anything else, with what is wrong
   */
  static TopologyAdvice read(byte[] bytes) throws IOException {
    JsonNode root = Wire.MAPPER.readTree(bytes);
    if (!root.path("ballast").asText().equals("advice")
        || root.path("version").asInt(-1) != Wire.VERSION
        || !root.path("topology").isTextual()
        || !root.path("states").isArray()) {
      throw new IOException("no advice of version " + Wire.VERSION);
    }
    List<State> states = new ArrayList<>();
    for (JsonNode state : root.path("states")) {
      states.add(state(state));
    }
    try {
      return new TopologyAdvice(
          root.path("topology").asText(),
          root.path("generation").asLong(),
          Instant.parse(root.path("taken_at").asText()),
          List.copyOf(states));
    } catch (DateTimeException noTime) {
      throw new IOException("taken_at is no time: " + root.path("taken_at"), noTime);
    }
  }

  private static State state(JsonNode state) throws IOException {
    JsonNode tasks = state.path("tasks");
    JsonNode bytes = state.path("state_bytes");
    if (!tasks.path(0).isInt() || !tasks.path(1).isInt()) {
      throw new IOException("tasks are no range of tasks: " + tasks);
    }
    if (!bytes.canConvertToLong() || bytes.asLong() < 0) {
      throw new IOException("state_bytes is no size: " + bytes);
    }
    List<Node> copies = new ArrayList<>();
    for (JsonNode copy : state.path("copies")) {
      if (!copy.path("id").isTextual()) {
        throw new IOException("copies hold one without an id: " + copy);
      }
      copies.add(new Node(copy.path("id").asText(), copy.path("host").asText(null)));
    }
    return new State(
        new ExecutorDetails(tasks.path(0).asInt(), tasks.path(1).asInt()),
        state.path("component").asText(),
        bytes.asLong(),
        state.path("estimated").asBoolean(),
        List.copyOf(copies));
  }
}
