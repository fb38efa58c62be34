package io.ballast.storm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes each planning round's request and reply, byte for byte, and the outcomes of plans into the
 * folder {@code ballast.record.dir}: {@code ballast plan} asks the same again. Names sort by time;
 * the oldest are deleted beyond {@code ballast.record.files} rounds. A folder that cannot be
 * written costs one warning and no round.
 */
final class Recorder {
  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final String REQUEST = "-request.json";
  private static final String REPLY = "-reply.json";
  private static final String OUTCOME = "-outcome.json";

  private final String folder;
  private final int rounds;
  private boolean warned;

  /**
   * @param folder where to; empty: record nothing
   * @param rounds rounds to keep
   */
  Recorder(String folder, int rounds) {
    this.folder = folder;
    this.rounds = rounds;
  }

  void request(ClusterSnapshot snapshot, byte[] request) {
    record(snapshot, REQUEST, request);
  }

  void reply(ClusterSnapshot snapshot, byte[] reply) {
    record(snapshot, REPLY, reply);
  }

  /** What became of a plan, beside the round in which it was measured. */
  void outcome(ClusterSnapshot snapshot, byte[] outcome) {
    record(snapshot, OUTCOME, outcome);
  }

  private void record(ClusterSnapshot snapshot, String kind, byte[] bytes) {
    if (folder.isEmpty()) {
      return;
    }
    try {
      Path directory = Files.createDirectories(Path.of(folder));
      String name =
          TIME.format(snapshot.takenAt())
              + String.format(Locale.ROOT, "-g%08d", snapshot.generation())
              + kind;
      // Written aside and renamed, so that a reader never meets half a file.
      Path aside = Files.createTempFile(directory, ".ballast", ".tmp");
      try {
        Files.write(aside, bytes);
        Files.move(aside, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        // Still there only if that failed: a full disk must not fill with the beginnings of files.
        Files.deleteIfExists(aside);
      }
      trim(directory, kind);
      warned = false;
    } catch (IOException | InvalidPathException | SecurityException failed) {
      if (!warned) {
        LOG.warn(
            "Ballast cannot record into ballast.record.dir = {}: {}; it goes on without",
            folder,
            Threads.say(failed));
      }
      warned = true;
    }
  }

  private void trim(Path directory, String kind) throws IOException {
    List<Path> kept;
    try (Stream<Path> files = Files.list(directory)) {
      kept = files.filter(f -> f.getFileName().toString().endsWith(kind)).sorted().toList();
    }
    for (Path oldest : kept.subList(0, Math.max(0, kept.size() - rounds))) {
      Files.deleteIfExists(oldest);
    }
  }
}
