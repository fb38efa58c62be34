package io.ballast.storm;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** An engine that shakes hands like the real one and answers whatever the test says. */
final class ScriptedEngine implements Engine {
  /** Snapshots asked about so far. */
  final AtomicInteger asked = new AtomicInteger();

  /** The newest request. */
  volatile JsonNode request;

  private final Function<JsonNode, String> script;

  /** Answers a request, given as JSON, with this text. */
  ScriptedEngine(Function<JsonNode, String> script) {
    this.script = script;
  }

  /**
   * Answers every request, placements and plans alike, with a plan for topology {@code t1}.
   *
   * @param workers slot and first tasks, as in {@code n1:6700 1 2, n2:6700 3}
   */
  static ScriptedEngine assigning(String workers) {
    return new ScriptedEngine(request -> plan(request, "t1", workers));
  }

  /** A reply to this request. */
  static String plan(JsonNode request, String topology, String workers) {
    StringBuilder json = new StringBuilder();
    for (String worker : workers.split(", ")) {
      String[] words = worker.split("[: ]");
      json.append(json.isEmpty() ? "" : ",")
          .append("{\"node\":\"")
          .append(words[0])
          .append("\",\"port\":")
          .append(words[1])
          .append(",\"executors\":[");
      for (int i = 2; i < words.length; i++) {
        json.append(i > 2 ? "," : "").append("[" + words[i] + "," + words[i] + "]");
      }
      json.append("]}");
    }
    return reply(
        request,
        "improved",
        "[{\"topology\":\"" + topology + "\",\"workers\":[" + json + "]}]",
        request.path("generation").asLong());
  }

  /** A reply with these assignments and this generation. */
  static String reply(JsonNode request, String verdict, String assignments, long generation) {
    return "{\"ballast\":\"plan\",\"version\":1,\"generation\":"
        + generation
        + ",\"id\":\"plan-scripted\",\"expires_after_secs\":60.0,\"verdict\":\""
        + verdict
        + "\""
        + ",\"assignments\":"
        + assignments
        + ",\"moves\":[],\"cost\":{\"restarts\":1}"
        + ",\"before\":{\"load_distance\":0.4},\"after\":{\"load_distance\":0.1}"
        + ",\"coverage\":{\"sufficient\":true},\"notes\":[],\"refusal\":null,\"log\":[]}";
  }

  /**
   * A reply with these moves and this advice.
   *
   * @param assignments JSON, {@code []} for none
   * @param replicas topology, first task and nodes of each state: {@code t1 2 n2 n3, t1 3 n1}
   */
  static String advising(JsonNode request, String assignments, String replicas) {
    StringBuilder json = new StringBuilder();
    for (String state : replicas.split(", ")) {
      String[] words = state.split(" ");
      json.append(json.isEmpty() ? "" : ",")
          .append("{\"topology\":\"")
          .append(words[0])
          .append("\",\"executor\":[" + words[1] + "," + words[1] + "],\"nodes\":[");
      for (int i = 2; i < words.length; i++) {
        json.append(i > 2 ? "," : "").append('"' + words[i] + '"');
      }
      json.append("],\"state_bytes\":").append(1000 * Long.parseLong(words[1]));
      json.append(",\"estimated\":true}");
    }
    String verdict = assignments.equals("[]") ? "unchanged" : "improved";
    return reply(request, verdict, assignments, request.path("generation").asLong())
        .replace(
            "\"notes\":[]",
            "\"notes\":[],\"checkpoints\":{\"strategy\":\"dealt\",\"copies\":2,\"replicas\":["
                + json
                + "],\"node_loss\":{\"worst\":0.631,\"lower_bound\":0.628,\"gap\":0.003},"
                + "\"rack_loss\":null,\"missing_bytes\":0,\"moved_bytes\":0,"
                + "\"budget_bytes\":0,\"nodes\":[]}");
  }

  @Override
  public byte[] hello(byte[] question) {
    JsonNode settings = Wire.object(question).path("settings");
    String welcome =
        "{\"ballast\":\"welcome\",\"version\":1,\"library\":\"scripted\",\"settings\":"
            + settings
            + ",\"problems\":[]}";
    return welcome.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] answer(byte[] bytes) {
    asked.incrementAndGet();
    request = Wire.object(bytes);
    String answer = script.apply(request);
    return answer == null ? null : answer.getBytes(StandardCharsets.UTF_8);
  }
}
