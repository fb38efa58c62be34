package io.ballast.storm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The engine's answer to the handshake.
 *
 * @param library the library's own version
 * @param settings the effective settings, every name present
 * @param problems settings that were not understood
 */
record Welcome(String library, ObjectNode settings, List<Problem> problems) {

  /** One setting that has its default because its value was not understood. */
  record Problem(String setting, String detail, String advice) {}

  /** The handshake's question. */
  static byte[] question(Map<String, Object> settings) {
    ObjectNode hello = JsonNodeFactory.instance.objectNode();
    hello.put("ballast", "hello");
    hello.put("version", Wire.VERSION);
    hello.set("settings", Wire.MAPPER.valueToTree(settings));
    try {
      return Wire.MAPPER.writeValueAsBytes(hello);
    } catch (JsonProcessingException impossible) {
      throw new NativeFailure("the settings cannot be written as JSON: " + impossible, impossible);
    }
  }

  /**
   * Reads the answer.
   *
   * @throws NativeFailure if it is no welcome, or one of another wire version
   */
  static Welcome read(byte[] bytes) {
    JsonNode root = Wire.object(bytes);
    int version = root.path("version").asInt(-1);
    if (version != Wire.VERSION) {
      throw new NativeFailure(
          "the library speaks wire version " + version + ", this jar speaks " + Wire.VERSION);
    }
    if (!root.path("ballast").asText().equals("welcome")
        || !(root.path("settings") instanceof ObjectNode settings)) {
      throw new NativeFailure(
          "the handshake was not answered by a welcome: " + Wire.excerpt(bytes));
    }
    List<Problem> problems = new ArrayList<>();
    for (JsonNode problem : root.path("problems")) {
      problems.add(
          new Problem(
              problem.path("setting").asText(),
              problem.path("detail").asText(),
              problem.path("advice").asText()));
    }
    return new Welcome(root.path("library").asText("unknown"), settings, List.copyOf(problems));
  }
}
