package io.ballast.storm.telemetry;

import java.util.Locale;

/** Why a report was not taken, and what is answered. */
enum Drop {
  /** This Nimbus does not lead. */
  NOT_LEADER(421),
  /** Of a topology that does not run here, or that has no secret yet. */
  FOREIGN(403),
  /** Not signed with the topology's secret. */
  UNSIGNED(403),
  /** Seen before. */
  REPLAYED(409),
  /** Sooner than Nimbus wants it, or more of them than a topology can have workers. */
  FLOOD(429),
  /** Larger than any report, packed or unpacked. */
  TOO_LARGE(413),
  /** No report, or one that tells of tasks its topology does not have. */
  GARBAGE(400),
  /** More came at once than can be looked at. */
  OVERLOAD(503);

  private final int status;

  Drop(int status) {
    this.status = status;
  }

  /** HTTP status. */
  int status() {
    return status;
  }

  /** The word for it in metrics and in the log. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
