package io.ballast.storm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * The engine's reply, as far as the shim acts on it or shows it. Reading checks form only; whether
 * the cluster allows what it asks is {@link TargetCheck}'s question.
 *
 * @param id names the plan in logs and statuses
 * @param expiresAfterSecs seconds after which it must not be applied any more
 * @param verdict see the contract
 * @param target every worker of each topology that is to change
 * @param moves what is to move, and why
 * @param restarts running workers that the plan kills and restarts
 * @param distanceBefore load distance as it is; NaN if the reply has none
 * @param distanceAfter load distance after the plan; NaN if the reply has none
 * @param coverageSufficient enough executors had a measured load
 * @param scaling advice on nodes and executors; null if the reply has none
 * @param advice where copies of states should lie
 * @param notes why things are as they are
 * @param refusal why the engine could not answer, with its advice; null if it could
 */
record Reply(
    String id,
    double expiresAfterSecs,
    String verdict,
    Target target,
    List<Move> moves,
    int restarts,
    double distanceBefore,
    double distanceAfter,
    boolean coverageSufficient,
    Scaling scaling,
    Advice advice,
    List<Note> notes,
    String refusal) {

  /** One step of a plan. */
  record Move(String topology, String kind, String from, String to, String because) {}

  /** A reason with its code. */
  record Note(String code, String detail) {
    @Override
    public String toString() {
      return code + " (" + detail + ")";
    }
  }

  /**
   * Reads a reply to the snapshot of this generation.
   *
   * @throws NativeFailure if it is garbage, answers another snapshot, or is incomplete
   */
  static Reply read(byte[] bytes, long generation) {
    JsonNode root = Wire.object(bytes);
    if (!root.path("ballast").asText().equals("plan")
        || root.path("version").asInt(-1) != Wire.VERSION
        || !root.path("id").isTextual()
        || !root.path("verdict").isTextual()
        || !root.path("assignments").isArray()) {
      throw new NativeFailure(
          "the engine's answer is no plan of wire version "
              + Wire.VERSION
              + ": "
              + Wire.excerpt(bytes));
    }
    long answered = root.path("generation").asLong(-1);
    if (answered != generation) {
      throw new NativeFailure(
          "stale answer: it is for snapshot " + answered + ", asked was " + generation);
    }
    return new Reply(
        root.path("id").asText(),
        root.path("expires_after_secs").asDouble(0.0),
        root.path("verdict").asText(),
        readTarget(root.path("assignments")),
        readMoves(root.path("moves")),
        root.path("cost").path("restarts").asInt(0),
        root.path("before").path("load_distance").asDouble(Double.NaN),
        root.path("after").path("load_distance").asDouble(Double.NaN),
        root.path("coverage").path("sufficient").asBoolean(false),
        Scaling.read(root.path("scaling")),
        Advice.read(root.path("checkpoints")),
        readNotes(root.path("notes")),
        readRefusal(root));
  }

  private static String readRefusal(JsonNode root) {
    if (!root.path("verdict").asText().equals("refused")) {
      return null;
    }
    JsonNode refusal = root.path("refusal");
    return refusal.path("code").asText("no code")
        + " ("
        + refusal.path("detail").asText("no detail")
        + "; "
        + refusal.path("advice").asText("no advice")
        + ")";
  }

  private static Target readTarget(JsonNode assignments) {
    Map<String, Map<WorkerSlot, Set<ExecutorDetails>>> topologies = new HashMap<>();
    for (JsonNode assignment : assignments) {
      String topology = assignment.path("topology").asText();
      Map<WorkerSlot, Set<ExecutorDetails>> workers = new HashMap<>();
      for (JsonNode worker : assignment.path("workers")) {
        WorkerSlot slot = new WorkerSlot(worker.path("node").asText(), worker.path("port").asInt());
        Set<ExecutorDetails> executors = new HashSet<>();
        for (JsonNode tasks : worker.path("executors")) {
          ExecutorDetails executor =
              new ExecutorDetails(tasks.path(0).asInt(-1), tasks.path(1).asInt(-1));
          if (!executors.add(executor)) {
            throw new NativeFailure("executor " + executor + " twice in worker " + slot);
          }
        }
        if (executors.isEmpty() || workers.put(slot, executors) != null) {
          throw new NativeFailure(
              "worker " + slot + " of " + topology + " is empty or named twice");
        }
      }
      if (topologies.put(topology, workers) != null) {
        throw new NativeFailure("topology " + topology + " is assigned twice");
      }
    }
    return new Target(topologies);
  }

  private static List<Move> readMoves(JsonNode moves) {
    List<Move> read = new ArrayList<>();
    for (JsonNode move : moves) {
      read.add(
          new Move(
              move.path("topology").asText(),
              move.path("kind").asText(),
              place(move.path("from")),
              place(move.path("to")),
              move.path("because").asText()));
    }
    return List.copyOf(read);
  }

  private static String place(JsonNode slot) {
    return slot.isObject()
        ? slot.path("node").asText() + ":" + slot.path("port").asInt()
        : "nowhere";
  }

  private static List<Note> readNotes(JsonNode notes) {
    List<Note> read = new ArrayList<>();
    for (JsonNode note : notes) {
      read.add(new Note(note.path("code").asText(), note.path("detail").asText()));
    }
    return List.copyOf(read);
  }
}
