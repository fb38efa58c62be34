package io.ballast.storm.telemetry;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The workers of one topology that report, each under a ticket this process made up for it. A
 * report counts only with a ticket of this process and a number above all before it, both signed:
 * what was recorded, now or under an earlier leader, cannot be played again. Of more than {@value
 * #MAX} workers the one longest silent is forgotten; it gets a new ticket when it is heard again.
 */
final class Tickets {
  static final int MAX = 4096;

  private static final class Session {
    private long sequence;
    private long takenNanos;
    private boolean heard;
  }

  private final Map<String, Session> sessions =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
          return size() > MAX;
        }
      };

  private long windowNanos;
  private int inWindow;

  /** What a report with this ticket and number is. */
  enum Standing {
    /** To be taken. */
    NEW,
    /** Of a worker not known: to be given a ticket. */
    UNKNOWN,
    /** Seen before. */
    REPLAYED,
    /** Too soon after the last one, or one of too many. */
    FLOOD
  }

  /**
   * Judges one signed report.
   *
   * @param gapNanos least time between two reports of one worker
   * @param limit reports of all workers together in {@code 4 * gapNanos}
   */
  synchronized Standing judge(
      String ticket, long sequence, long nowNanos, long gapNanos, int limit) {
    if (nowNanos - windowNanos > 4 * gapNanos || inWindow == 0) {
      windowNanos = nowNanos;
      inWindow = 0;
    }
    if (++inWindow > limit) {
      return Standing.FLOOD;
    }
    Session session = sessions.get(ticket);
    if (session == null) {
      return Standing.UNKNOWN;
    }
    if (sequence <= session.sequence) {
      return Standing.REPLAYED;
    }
    session.sequence = sequence;
    if (session.heard && nowNanos - session.takenNanos < gapNanos) {
      return Standing.FLOOD;
    }
    session.heard = true;
    session.takenNanos = nowNanos;
    return Standing.NEW;
  }

  /** A ticket for a worker not known. */
  synchronized String issue() {
    String ticket = HexFormat.of().formatHex(Keys.random(16));
    sessions.put(ticket, new Session());
    return ticket;
  }
}
