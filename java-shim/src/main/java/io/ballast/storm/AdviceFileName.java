package io.ballast.storm;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * File names for topology ids. Storm forbids slashes, dots and colons in a topology's name and
 * little else, and this class does not rely on that: letters, digits, {@code -} and {@code _} of
 * ASCII stand for themselves, every other byte of the UTF-8 text is written {@code %XX}. So no name
 * leads out of its folder, none is hidden, and no two ids share one.
 */
final class AdviceFileName {
  /** Longest name; file systems allow 255 bytes, the suffix included. */
  private static final int LENGTH_MAX = 200;

  private AdviceFileName() {}

  static String of(String topologyId) {
    StringBuilder name = new StringBuilder();
    byte[] bytes = topologyId.getBytes(StandardCharsets.UTF_8);
    for (byte b : bytes) {
      boolean plain =
          b >= 'a' && b <= 'z'
              || b >= 'A' && b <= 'Z'
              || b >= '0' && b <= '9'
              || b == '-'
              || b == '_';
      name.append(plain ? String.valueOf((char) b) : String.format("%%%02X", b));
    }
    if (name.length() > LENGTH_MAX || name.isEmpty()) {
      // No escape begins like this, so a shortened name is no other id's full one.
      name.setLength(Math.min(name.length(), LENGTH_MAX / 2));
      name.append("%-").append(HexFormat.of().formatHex(sha256(bytes)));
    }
    return name.toString();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
