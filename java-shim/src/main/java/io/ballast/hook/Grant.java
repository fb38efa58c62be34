package io.ballast.hook;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * What Nimbus lays down for the workers of one topology: that it wants reports, how often, on which
 * port of the leader, and the secret they are signed with.
 */
record Grant(int port, double periodSecs, byte[] secret) {
  /** First line of the text it is read from. */
  static final String HEAD = "ballast-telemetry 1";

  /** Where it lies in Storm's state, followed by the topology's id. */
  static final String FOLDER = "/ballast-telemetry/";

  /**
   * Reads the lines {@code port}, {@code period} and {@code secret}; others are for Nimbus.
   *
   * @throws IllegalArgumentException if it is no grant
   */
  static Grant read(byte[] data) {
    String[] lines = new String(data, StandardCharsets.UTF_8).split("\n");
    if (!lines[0].equals(HEAD)) {
      throw new IllegalArgumentException("not a grant of version 1");
    }
    int port = 0;
    double period = 0;
    byte[] secret = {};
    for (String line : lines) {
      if (line.startsWith("port ")) {
        port = Integer.parseInt(line.substring("port ".length()));
      } else if (line.startsWith("period ")) {
        period = Double.parseDouble(line.substring("period ".length()));
      } else if (line.startsWith("secret ")) {
        secret = HexFormat.of().parseHex(line.substring("secret ".length()));
      }
    }
    if (port < 1 || port > 65_535 || !(period > 0) || secret.length < 16) {
      throw new IllegalArgumentException("a grant with a part that is missing or out of range");
    }
    return new Grant(port, period, secret);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "port " + port + ", every " + periodSecs + " s";
  }
}
