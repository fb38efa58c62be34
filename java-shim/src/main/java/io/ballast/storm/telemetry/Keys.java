package io.ballast.storm.telemetry;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of one topology and what its workers must know beside it: the grant that lies in
 * Storm's state.
 *
 * @param previous the secret before this one, still taken for a while; null: none
 * @param madeSecs when the secret was made, seconds since 1970 by the clock of the Nimbus that made
 *     it
 */
record Keys(int port, double periodSecs, byte[] secret, byte[] previous, long madeSecs) {
  /** First line; what the hook looks for. */
  static final String HEAD = "ballast-telemetry 1";

  private static final int SECRET_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  static Keys made(int port, double periodSecs, long nowSecs) {
    return new Keys(port, periodSecs, random(SECRET_BYTES), null, nowSecs);
  }

  static byte[] random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** A new secret; this one is still taken. */
  Keys rotated(long nowSecs) {
    return new Keys(port, periodSecs, random(SECRET_BYTES), secret, nowSecs);
  }

  /** The secret before is taken no more. */
  Keys withoutPrevious() {
    return new Keys(port, periodSecs, secret, null, madeSecs);
  }

  /** For workers that are to report elsewhere or at another pace. */
  Keys at(int newPort, double newPeriodSecs) {
    return new Keys(newPort, newPeriodSecs, secret, previous, madeSecs);
  }

  /** Signed with the secret or the one before. */
  boolean sign(String topology, String ticket, long sequence, byte[] body, byte[] signature) {
    return signs(secret, topology, ticket, sequence, body, signature)
        || previous != null && signs(previous, topology, ticket, sequence, body, signature);
  }

  private static boolean signs(
      byte[] secret, String topology, String ticket, long sequence, byte[] body, byte[] given) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      String head = "ballast-telemetry-1\n" + topology + "\n" + ticket + "\n" + sequence + "\n";
      mac.update(head.getBytes(StandardCharsets.UTF_8));
      // In constant time, so that nobody can feel their way to a signature.
      return MessageDigest.isEqual(mac.doFinal(body), given);
    } catch (GeneralSecurityException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  byte[] text() {
    HexFormat hex = HexFormat.of();
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    text.append("port ").append(port).append('\n');
    text.append("period ").append(periodSecs).append('\n');
    text.append("secret ").append(hex.formatHex(secret)).append('\n');
    if (previous != null) {
      text.append("previous ").append(hex.formatHex(previous)).append('\n');
    }
    text.append("made ").append(madeSecs).append('\n');
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Null if it is nothing that {@link #text} wrote. */
  static Keys read(byte[] data) {
    try {
      String[] lines = new String(data, StandardCharsets.UTF_8).split("\n");
      byte[] secret = null;
      byte[] previous = null;
      int port = 0;
      double period = 0;
      long made = 0;
      for (String line : lines) {
        int space = line.indexOf(' ');
        String value = line.substring(space + 1);
        switch (space < 0 ? "" : line.substring(0, space)) {
          case "port" -> port = Integer.parseInt(value);
          case "period" -> period = Double.parseDouble(value);
          case "secret" -> secret = HexFormat.of().parseHex(value);
          case "previous" -> previous = HexFormat.of().parseHex(value);
          case "made" -> made = Long.parseLong(value);
          default -> {
            // The head, and whatever a later version adds.
          }
        }
      }
      boolean whole = lines[0].equals(HEAD) && secret != null && secret.length == SECRET_BYTES;
      return whole ? new Keys(port, period, secret, previous, made) : null;
    } catch (IllegalArgumentException notOurs) {
      return null;
    }
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "port " + port + ", every " + periodSecs + " s, made " + madeSecs;
  }
}
