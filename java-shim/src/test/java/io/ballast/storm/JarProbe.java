package io.ballast.storm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A JVM of its own for {@link PackagedJarIT}: loads the engine as Nimbus does, asks it once for a
 * handshake and once for a plan, and prints the answers and the native libraries it then has.
 */
public final class JarProbe {
  private JarProbe() {}

  /**
   * @param arguments file of the handshake, file of the snapshot
   */
  public static void main(String[] arguments) throws IOException {
    System.out.println("from " + source());
    System.out.println("loaded " + NativeLoader.load(""));
    System.out.println("welcome " + text(NativeBallast.hello(read(arguments[0]))));
    System.out.println("plan " + text(NativeBallast.answer(read(arguments[1]))));
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      String[] cells = line.split(" +", 6);
      if (cells.length == 6 && cells[5].contains(".so")) {
        System.out.println("mapped " + cells[5]);
      }
    }
  }

  private static String source() {
    return NativeLoader.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  private static byte[] read(String file) throws IOException {
    return Files.readAllBytes(Path.of(file));
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
