package io.ballast.storm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The reply's advice on nodes and executors.
 *
 * @param verdict see the contract
 * @param low this round counts for {@code low_rounds}
 * @param nodes nodes to add
 * @param drain supervisors to drain from now on
 * @param keep supervisors drained for scaling that are needed again
 * @param release draining supervisors that are empty
 * @param parallelism components whose number of executors does not fit their load
 * @param because why, in one sentence
 */
record Scaling(
    String verdict,
    boolean low,
    int nodes,
    List<String> drain,
    List<String> keep,
    List<String> release,
    List<Parallelism> parallelism,
    String because) {

  /** Advice on one component's number of executors. */
  record Parallelism(
      String topology, String component, int executors, int advised, String because) {}

  /** Too little is known of the load to say anything. */
  boolean isUnknown() {
    return verdict.equals("unknown");
  }

  /** More nodes, fewer, or fewer that cannot be had. */
  boolean isAdvice() {
    return verdict.equals("out") || verdict.equals("in") || verdict.equals("blocked");
  }

  /** Null where the reply says nothing of scaling. */
  static Scaling read(JsonNode scaling) {
    if (!scaling.isObject()) {
      return null;
    }
    List<Parallelism> parallelism = new ArrayList<>();
    for (JsonNode component : scaling.path("parallelism")) {
      parallelism.add(
          new Parallelism(
              component.path("topology").asText(),
              component.path("component").asText(),
              component.path("executors").asInt(),
              component.path("advised").asInt(),
              component.path("because").asText()));
    }
    return new Scaling(
        scaling.path("verdict").asText(),
        scaling.path("low").asBoolean(false),
        scaling.path("nodes").asInt(0),
        texts(scaling.path("drain")),
        texts(scaling.path("keep")),
        texts(scaling.path("release")),
        List.copyOf(parallelism),
        scaling.path("because").asText());
  }

  private static List<String> texts(JsonNode list) {
    List<String> read = new ArrayList<>();
    list.forEach(text -> read.add(text.asText()));
    return List.copyOf(read);
  }
}
