package io.ballast.storm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.scheduler.ExecutorDetails;

/**
 * The reply's advice on copies of states: where they should lie once its plan is carried out.
 *
 * @param copies of every state
 * @param topologies topology id to its executors with a state
 * @param nodeLoss the worst loss of one node
 * @param rackLoss the worst loss of one rack; null where there are no two
 */
record Advice(int copies, Map<String, List<Replicas>> topologies, Loss nodeLoss, Loss rackLoss) {

  /** Nothing has a state, or no copies are wanted. */
  static final Advice NONE = new Advice(0, Map.of(), null, null);

  /**
   * The copies of one executor's state.
   *
   * @param nodes supervisor ids, the restart target first
   * @param stateBytes size of the state
   * @param estimated nobody measured it
   */
  record Replicas(
      ExecutorDetails executor, List<String> nodes, long stateBytes, boolean estimated) {}

  /**
   * Utilization of the fullest node that a loss leaves.
   *
   * @param lowerBound no allocation of copies has a smaller one
   */
  record Loss(double worst, double lowerBound) {}

  /** Null in the reply is no advice at all. */
  static Advice read(JsonNode checkpoints) {
    if (!checkpoints.isObject()) {
      return NONE;
    }
    Map<String, List<Replicas>> topologies = new TreeMap<>();
    for (JsonNode replicas : checkpoints.path("replicas")) {
      JsonNode tasks = replicas.path("executor");
      List<String> nodes = new ArrayList<>();
      replicas.path("nodes").forEach(node -> nodes.add(node.asText()));
      topologies
          .computeIfAbsent(replicas.path("topology").asText(), id -> new ArrayList<>())
          .add(
              new Replicas(
                  new ExecutorDetails(tasks.path(0).asInt(-1), tasks.path(1).asInt(-1)),
                  List.copyOf(nodes),
                  replicas.path("state_bytes").asLong(),
                  replicas.path("estimated").asBoolean()));
    }
    return new Advice(
        checkpoints.path("copies").asInt(),
        topologies,
        loss(checkpoints.path("node_loss")),
        loss(checkpoints.path("rack_loss")));
  }

  private static Loss loss(JsonNode loss) {
    return loss.isObject()
        ? new Loss(
            loss.path("worst").asDouble(Double.NaN), loss.path("lower_bound").asDouble(Double.NaN))
        : null;
  }
}
