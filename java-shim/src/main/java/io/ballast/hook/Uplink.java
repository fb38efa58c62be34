package io.ballast.hook;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.zip.GZIPOutputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one worker's reports to the leader of Nimbus. Nothing is queued: a report that cannot
 * be sent now is dropped, the next one is newer. After a failure attempts become rarer, twice as
 * rare each time and at random, so that hundreds of workers do not come back at once.
 *
 * <p>No clock of either side takes part. Nimbus answers a worker it does not know with a ticket;
 * each report carries the ticket and a number that rises, both signed, so a report that somebody
 * recorded is worth nothing.
 */
final class Uplink {
  /** Header of the ticket, in both directions. */
  static final String TICKET = "Ballast-Ticket";

  /** Header of the report's number under its ticket. */
  static final String SEQUENCE = "Ballast-Sequence";

  /** Header of the signature, HMAC-SHA256 in hex. */
  static final String SIGNATURE = "Ballast-Signature";

  /** Path of reports, followed by the topology's id, percent-encoded. */
  static final String PATH = "/ballast/telemetry/1/";

  /** Ticket of a worker that has none yet. */
  static final String NO_TICKET = "0".repeat(32);

  /** Seconds between two reports before Nimbus said anything. */
  static final double PERIOD_SECS = 10.0;

  private static final double LOOK_AGAIN_SECS = 300.0;
  private static final double NO_GRANT_SECS = 30.0;
  private static final double PAUSE_MAX_SECS = 300.0;
  private static final Logger LOG = LoggerFactory.getLogger(TelemetryHook.class);

  /** What became of a report. */
  enum Outcome {
    /** Nimbus has it. */
    SENT,
    /** Nimbus wants none. */
    UNWANTED,
    /** Dropped unsent, since the last attempt failed not long ago. */
    HELD,
    /** Nimbus could not be reached or did not take it. */
    FAILED
  }

  private final String topology;
  private final Nimbuses nimbuses;
  private final Post post;
  private final LongSupplier nanos;
  private final DoubleSupplier chance;
  private Grant grant;
  private String leader;
  private String ticket = NO_TICKET;
  private long sequence;
  private long learned;
  private long notBefore;
  private int failures;
  private boolean begun;

  Uplink(String topology, Nimbuses nimbuses, Post post, LongSupplier nanos, DoubleSupplier chance) {
    this.topology = topology;
    this.nimbuses = nimbuses;
    this.post = post;
    this.nanos = nanos;
    this.chance = chance;
    notBefore = nanos.getAsLong();
  }

  static Uplink of(Map<String, Object> conf, String topology) {
    return new Uplink(
        topology,
        Nimbuses.of(conf, topology),
        Post.HTTP,
        System::nanoTime,
        () -> ThreadLocalRandom.current().nextDouble());
  }

  /** Seconds between two reports, as Nimbus wants it. */
  double periodSecs() {
    return grant == null ? PERIOD_SECS : grant.periodSecs();
  }

  /** The next report will be tried. */
  boolean isReady() {
    return nanos.getAsLong() - notBefore >= 0;
  }

  /** Tries to send one report; never throws but for an interrupt's sake. */
  Outcome send(byte[] report) {
    if (!isReady()) {
      return Outcome.HELD;
    }
    try {
      learn();
      if (grant == null) {
        pause(NO_GRANT_SECS * (0.5 + chance.getAsDouble()));
        return Outcome.UNWANTED;
      }
      int status = deliver(gzip(report));
      if (status == 204) {
        if (failures > 0 || !begun) {
          LOG.info("Ballast's telemetry reports to Nimbus at {}, {}", leader, grant);
        }
        begun = true;
        failures = 0;
        return Outcome.SENT;
      }
      failed("Nimbus at " + leader + " answered " + status);
      return Outcome.FAILED;
    } catch (Exception failed) {
      failed(failed.toString());
      return Outcome.FAILED;
    }
  }

  /** Reads the grant and finds the leader, where one is missing or known for long. */
  private void learn() throws Exception {
    long now = nanos.getAsLong();
    if (grant == null || leader == null || (now - learned) / 1e9 > LOOK_AGAIN_SECS) {
      grant = nimbuses.grant();
      leader = grant == null ? null : nimbuses.leader();
      learned = now;
    }
  }

  private int deliver(byte[] body) throws Exception {
    Post.Answer answer = signed(body);
    if (answer.status() == 401 && answer.ticket() != null) {
      ticket = answer.ticket();
      sequence = 0;
      answer = signed(body);
    }
    return answer.status();
  }

  private Post.Answer signed(byte[] body) throws Exception {
    sequence++;
    String name = URLEncoder.encode(topology, StandardCharsets.UTF_8).replace("+", "%20");
    String host = leader.indexOf(':') >= 0 ? "[" + leader + "]" : leader;
    return post.send(
        URI.create("http://" + host + ":" + grant.port() + PATH + name),
        Map.of(
            "Content-Type",
            "application/octet-stream",
            "Content-Encoding",
            "gzip",
            TICKET,
            ticket,
            SEQUENCE,
            Long.toString(sequence),
            SIGNATURE,
            HexFormat.of().formatHex(signature(grant.secret(), topology, ticket, sequence, body))),
        body);
  }

  /** The signature of a report: over what it is, to whom it belongs, and its place in the row. */
  static byte[] signature(byte[] secret, String topology, String ticket, long sequence, byte[] body)
      throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    String head = "ballast-telemetry-1\n" + topology + "\n" + ticket + "\n" + sequence + "\n";
    mac.update(head.getBytes(StandardCharsets.UTF_8));
    return mac.doFinal(body);
  }

  private void failed(String why) {
    // Another Nimbus may lead, the secret may be another one, the port too: learn everything again.
    leader = null;
    failures = Math.min(failures + 1, 16);
    double pause = Math.min(PAUSE_MAX_SECS, periodSecs() * Math.pow(2, failures - 1));
    pause(pause * (0.5 + chance.getAsDouble()));
    if (failures == 1) {
      LOG.info("Ballast's telemetry cannot report: {}; it tries again, ever more seldom", why);
    }
  }

  private void pause(double secs) {
    notBefore = nanos.getAsLong() + (long) (secs * 1e9);
  }

  static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length / 3 + 64);
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }
}
