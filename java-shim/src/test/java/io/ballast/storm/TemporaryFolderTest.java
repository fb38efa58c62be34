package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Temporary folders of kinds only the kernel can make (field case C09): a file system mounted
 * noexec, and a full one. Each is mounted where only one child JVM sees it, which takes the right
 * to mount; without it the tests are skipped, and say so.
 */
class TemporaryFolderTest {
  @TempDir Path folder;

  @Test
  void anOrdinaryFileSystemLoads() throws Exception {
    String said = loadsIn("size=64m");
    assertTrue(said.startsWith("loaded the jar's libballast.so"), said);
  }

  @Test
  void oneMountedNoexecIsNamedWithTheReason() throws Exception {
    String said = loadsIn("size=64m,noexec");
    assertTrue(said.startsWith("failed cannot load the jar's libballast.so"), said);
    assertTrue(said.contains(mount().toString()) && said.contains("noexec"), said);
  }

  @Test
  void aFullOneIsNamedWithTheReason() throws Exception {
    String said = loadsIn("size=64k");
    assertTrue(
        said.startsWith("failed cannot extract the jar's libraries into java.io.tmpdir"), said);
    assertTrue(said.contains(mount().toString()) && said.contains("No space left"), said);
  }

  private Path mount() {
    return folder.resolve("tmp");
  }

  /** What a JVM says whose temporary folder is a file system mounted with these options. */
  private String loadsIn(String options) throws Exception {
    Files.createDirectories(mount());
    String mounting = "mount -t tmpfs -o " + options + " tmpfs '" + mount() + "'";
    assumeTrue(
        run(List.of("unshare", "-m", "sh", "-c", mounting)).status() == 0,
        "no right to mount a file system in a namespace of our own");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String start =
        "exec '"
            + java
            + "' -Djava.io.tmpdir='"
            + mount()
            + "' -cp \"$0\" "
            + LoadOnce.class.getName();
    String path = packed() + ":" + System.getProperty("java.class.path");
    Ended ended = run(List.of("unshare", "-m", "sh", "-c", mounting + " && " + start, path));
    assertEquals(0, ended.status(), ended::output);
    return ended
        .output()
        .lines()
        .filter(l -> l.matches("(loaded|failed) .*"))
        .findFirst()
        .orElse(ended.output());
  }

  /** A folder like the jar's inside, to be found before any other. */
  private Path packed() throws Exception {
    Path root = folder.resolve("jar");
    Path inside = Files.createDirectories(root.resolve("native/linux-x86_64"));
    byte[] library = Files.readAllBytes(Rig.library());
    Files.write(inside.resolve("libballast.so"), library);
    String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(library));
    Files.writeString(inside.resolve("SHA256SUMS"), sum + "  libballast.so\n");
    return root;
  }

  private record Ended(int status, String output) {}

  private static Ended run(List<String> command) throws IOException, InterruptedException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException absent) {
      return new Ended(127, absent.toString());
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }
}
