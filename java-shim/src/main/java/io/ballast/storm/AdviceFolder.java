package io.ballast.storm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder {@code ballast.advice.dir}: one file a topology, replaced as a whole and safe on the
 * disk before it replaces the older one, removed when there is no advice any more. A new leader
 * reads them back. Whatever is wrong with the folder costs one warning when it begins, one line
 * when it has ended, and no round. Used by the planner's thread alone.
 */
final class AdviceFolder {
  private static final Logger LOG = LoggerFactory.getLogger(AdviceFolder.class);

  /** Bytes of the largest file that is read back, about 100,000 states. */
  private static final long READ_MAX = 1 << 26;

  private static final String SUFFIX = ".json";
  private static final String ASIDE = ".ballast-advice.tmp";

  private final String folder;
  private String trouble;
  private boolean warned;

  /**
   * @param folder where to; empty: nothing is stored
   */
  AdviceFolder(String folder) {
    this.folder = folder;
  }

  /** What lies there of these topologies. */
  List<TopologyAdvice> read(Collection<String> topologyIds) {
    List<TopologyAdvice> found = new ArrayList<>();
    trouble = null;
    if (!folder.isEmpty()) {
      for (String id : topologyIds) {
        attempt(() -> read(id, found));
      }
      tell();
    }
    return found;
  }

  private void read(String id, List<TopologyAdvice> found) throws IOException {
    Path file = Path.of(folder).resolve(AdviceFileName.of(id) + SUFFIX);
    if (!Files.exists(file)) {
      return;
    }
    try {
      if (Files.size(file) > READ_MAX) {
        throw new IOException("larger than " + READ_MAX + " bytes");
      }
      TopologyAdvice advice = TopologyAdvice.read(Files.readAllBytes(file));
      if (!advice.topology().equals(id)) {
        throw new IOException("it is on topology " + advice.topology());
      }
      found.add(advice);
    } catch (IOException garbage) {
      throw new IOException(file + " is left out: " + Threads.say(garbage), garbage);
    }
  }

  /** Makes the folder hold this advice and no other. */
  void store(Collection<TopologyAdvice> all) {
    if (folder.isEmpty()) {
      return;
    }
    attempt(() -> storeAll(all));
    tell();
    if (trouble == null && warned) {
      LOG.info("Ballast stores its advice in ballast.advice.dir = {} again", folder);
      warned = false;
    }
  }

  private void storeAll(Collection<TopologyAdvice> all) throws IOException {
    Path directory = Path.of(folder);
    if (!all.isEmpty()) {
      Files.createDirectories(directory);
    } else if (!Files.isDirectory(directory)) {
      return;
    }
    Set<String> kept = new HashSet<>();
    for (TopologyAdvice advice : all) {
      String name = AdviceFileName.of(advice.topology()) + SUFFIX;
      kept.add(name);
      attempt(() -> replace(directory, name, advice.json()));
    }
    List<Path> files;
    try (Stream<Path> listed = Files.list(directory)) {
      files = listed.filter(f -> f.getFileName().toString().endsWith(SUFFIX)).toList();
    }
    for (Path file : files) {
      if (!kept.contains(file.getFileName().toString())) {
        attempt(() -> removeOurs(file));
      }
    }
    // A renamed or removed file is safe once its folder is.
    try (FileChannel opened = FileChannel.open(directory, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  /** Written aside and renamed, so that a reader never meets half a file, nor a power cut. */
  private static void replace(Path directory, String name, byte[] bytes) throws IOException {
    Path aside = directory.resolve(ASIDE);
    Files.deleteIfExists(aside);
    try {
      // Not createTempFile: who stores the states runs as another user, and that file is private.
      try (FileChannel out =
          FileChannel.open(aside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
          out.write(rest);
        }
        out.force(true);
      }
      Files.move(aside, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  /** The folder may be shared with others: what does not begin as advice is not ours. */
  private static void removeOurs(Path file) throws IOException {
    byte[] header = TopologyAdvice.HEADER.getBytes(StandardCharsets.UTF_8);
    boolean ours;
    try (InputStream in = Files.newInputStream(file)) {
      ours = Arrays.equals(header, in.readNBytes(header.length));
    }
    if (ours) {
      Files.delete(file);
    }
  }

  /** Something that the file system may refuse. */
  private interface Step {
    void run() throws IOException;
  }

  /** The first trouble of a round is told, the others follow from it more often than not. */
  private void attempt(Step step) {
    try {
      step.run();
    } catch (IOException | UncheckedIOException | InvalidPathException | SecurityException failed) {
      trouble = trouble == null ? Threads.say(failed) : trouble;
    }
  }

  private void tell() {
    if (trouble != null && !warned) {
      LOG.warn(
          "Ballast has trouble with ballast.advice.dir = {}: {}; it goes on without",
          folder,
          trouble);
      warned = true;
    }
  }
}
