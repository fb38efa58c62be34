package io.ballast.storm.telemetry;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Looks at one report after the other, cheapest questions first: nothing is read of a body before
 * its topology is known, nothing unpacked before its signature is right, nothing kept before all of
 * it is understood.
 */
final class Reception {
  /** Path of reports, followed by the topology's id, percent-encoded. */
  static final String PATH = "/ballast/telemetry/1/";

  /** Largest body, packed. */
  static final int BODY_MAX = 1 << 20;

  /** Largest report, unpacked. */
  static final int REPORT_MAX = 4 << 20;

  private static final Pattern TICKET = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern SIGNATURE = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  /** What a request brings; texts are null where it does not. */
  record Request(
      String path,
      String ticket,
      String sequence,
      String signature,
      long length,
      InputStream body) {}

  /**
   * What it gets.
   *
   * @param ticket new ticket; null: none
   */
  record Answer(int status, String ticket) {}

  private final Topologies topologies;
  private final Measurements measurements;
  private final Counts counts;
  private final LongSupplier nanos;
  private final Map<String, Tickets> tickets = new ConcurrentHashMap<>();

  Reception(Topologies topologies, Measurements measurements, Counts counts, LongSupplier nanos) {
    this.topologies = topologies;
    this.measurements = measurements;
    this.counts = counts;
    this.nanos = nanos;
  }

  /** Answers one request and counts what became of it. */
  Answer answer(Request request) throws IOException {
    try {
      return take(request);
    } catch (Dropped dropped) {
      counts.dropped(dropped.why);
      return new Answer(dropped.why.status(), null);
    }
  }

  private Answer take(Request request) throws IOException, Dropped {
    String topology = topology(request.path());
    if (request.ticket() == null
        || request.sequence() == null
        || request.signature() == null
        || !TICKET.matcher(request.ticket()).matches()
        || !NUMBER.matcher(request.sequence()).matches()
        || !SIGNATURE.matcher(request.signature()).matches()) {
      throw new Dropped(Drop.GARBAGE);
    }
    if (!topologies.leading()) {
      throw new Dropped(Drop.NOT_LEADER);
    }
    Keys keys = topologies.keys(topology);
    if (keys == null) {
      throw new Dropped(Drop.FOREIGN);
    }
    if (request.length() > BODY_MAX) {
      throw new Dropped(Drop.TOO_LARGE);
    }
    byte[] body = bounded(request.body(), BODY_MAX);
    long sequence = Long.parseLong(request.sequence());
    byte[] signature = HexFormat.of().parseHex(request.signature());
    if (!keys.sign(topology, request.ticket(), sequence, body, signature)) {
      throw new Dropped(Drop.UNSIGNED);
    }
    int taskMax = topologies.taskMax(topology);
    long now = nanos.getAsLong();
    Tickets own = tickets.computeIfAbsent(topology, id -> new Tickets());
    long gap = (long) (keys.periodSecs() * 1e9 / 4);
    switch (own.judge(request.ticket(), sequence, now, gap, 16 + 4 * (taskMax + 1))) {
      case UNKNOWN -> {
        counts.ticketed();
        return new Answer(401, own.issue());
      }
      case REPLAYED -> throw new Dropped(Drop.REPLAYED);
      case FLOOD -> throw new Dropped(Drop.FLOOD);
      case NEW -> {
        measurements.add(topology, understood(body, taskMax), now);
        counts.taken();
      }
    }
    return new Answer(204, null);
  }

  private static String topology(String path) throws Dropped {
    if (path == null || !path.startsWith(PATH) || path.length() > 4096) {
      throw new Dropped(Drop.GARBAGE);
    }
    try {
      return URLDecoder.decode(path.substring(PATH.length()), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      throw new Dropped(Drop.GARBAGE);
    }
  }

  private static Report understood(byte[] body, int taskMax) throws Dropped {
    Report report;
    try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(body))) {
      report = ReportReader.read(bounded(unpacked, REPORT_MAX));
    } catch (IOException | ReportReader.Garbage notOurs) {
      throw new Dropped(Drop.GARBAGE);
    }
    for (Report.Executor executor : report.executors()) {
      if (executor.last() > taskMax) {
        throw new Dropped(Drop.GARBAGE);
      }
    }
    return report;
  }

  private static byte[] bounded(InputStream in, int most) throws IOException, Dropped {
    byte[] bytes = in.readNBytes(most + 1);
    if (bytes.length > most) {
      throw new Dropped(Drop.TOO_LARGE);
    }
    return bytes;
  }

  /** Forgets the workers of topologies that are gone. */
  void retain(Set<String> alive) {
    tickets.keySet().retainAll(alive);
  }

  /** What the reception must know of the topologies. */
  interface Topologies {
    /** This Nimbus leads. */
    boolean leading();

    /** The topology's keys; null: it does not run, or has none yet. */
    Keys keys(String topology);

    /** The highest task of a topology that has keys. */
    int taskMax(String topology);
  }

  private static final class Dropped extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Drop why;

    private Dropped(Drop why) {
      super(why.word(), null, false, false);
      this.why = why;
    }
  }
}
