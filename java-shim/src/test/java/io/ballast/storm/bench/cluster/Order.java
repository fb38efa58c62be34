package io.ballast.storm.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * How many flights a second the spouts are to emit from now on: a file of one line in a folder that
 * all workers of the machine see, which they look at several times a second.
 *
 * @param step number of the order; another one begins a new schedule and forgives what the one
 *     before still owed
 * @param perSec flights a second of all spouts together; infinite: as many as Storm asks for, which
 *     {@code topology.max.spout.pending} limits
 */
record Order(long step, double perSec) {
  /** Until there is a file. */
  static final Order NONE = new Order(0, 0);

  private static final String FILE = "order";

  /** Makes it the order of the folder; a reader sees all of it or the one before. */
  void write(Path folder) throws IOException {
    Path aside = folder.resolve(FILE + ".new");
    Files.writeString(aside, step + " " + perSec);
    Files.move(
        aside,
        folder.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  static Order read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return NONE;
    }
    String[] words = Files.readString(file).split(" ");
    return new Order(Long.parseLong(words[0]), Double.parseDouble(words[1]));
  }
}
