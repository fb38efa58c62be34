package io.ballast.storm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What both directions of the wire share. */
final class Wire {
  /** The version this jar speaks; {@code src/wire/README.md}. */
  static final int VERSION = 1;

  static final ObjectMapper MAPPER = new ObjectMapper();

  private Wire() {}

  /** The JSON object in these bytes. */
  static JsonNode object(byte[] bytes) {
    if (bytes == null) {
      throw new NativeFailure("the engine answered nothing");
    }
    try {
      JsonNode root = MAPPER.readTree(bytes);
      if (root != null && root.isObject()) {
        return root;
      }
    } catch (IOException notJson) {
      throw new NativeFailure("the engine's answer is no JSON: " + excerpt(bytes), notJson);
    }
    throw new NativeFailure("the engine's answer is no JSON object: " + excerpt(bytes));
  }

  /** The beginning of an answer, fit for a log line. */
  static String excerpt(byte[] bytes) {
    String text = new String(bytes, 0, Math.min(bytes.length, 120), StandardCharsets.UTF_8);
    return '"' + text.replaceAll("\\p{Cntrl}", " ") + (bytes.length > 120 ? "…\"" : "\"");
  }
}
