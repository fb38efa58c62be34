package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.scheduler.Cluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Libraries that are not what they should be (field cases C01 and C09): Nimbus lives, Storm's own
 * scheduler serves, one line names the library and the reason.
 */
class NativeLibraryTest {
  private static final String WELCOME =
      "{\\\"ballast\\\":\\\"welcome\\\",\\\"version\\\":%d,\\\"library\\\":\\\"stub\\\","
          + "\\\"settings\\\":{},\\\"problems\\\":[]}";

  @TempDir Path folder;
  private final LogLines log = new LogLines();
  private final String temporary = System.getProperty("java.io.tmpdir");

  @AfterEach
  void restore() {
    System.setProperty("java.io.tmpdir", temporary);
    log.close();
  }

  @Test
  void absentInTheJar() throws Exception {
    falls("", "the jar holds no library for linux-x86_64");
  }

  @Test
  void absentAtItsPath() throws Exception {
    Path nowhere = folder.resolve("libballast.so");
    falls(nowhere.toString(), "no library at " + nowhere);
  }

  @ParameterizedTest(name = "{0} of its bytes")
  @ValueSource(doubles = {0.0, 0.000_01, 0.01, 0.1, 0.5, 0.999})
  void truncated(double fraction) throws Exception {
    byte[] whole = Files.readAllBytes(Rig.library());
    Path half = folder.resolve("libballast.so");
    Files.write(half, Arrays.copyOf(whole, (int) (whole.length * fraction)));
    falls(half.toString(), "cannot load " + half);
  }

  @Test
  void forAnotherCpu() throws Exception {
    byte[] library = Files.readAllBytes(Rig.library());
    // e_machine of the ELF header: 183 is AArch64.
    library[18] = (byte) 183;
    library[19] = 0;
    Path other = folder.resolve("libballast.so");
    Files.write(other, library);
    falls(other.toString(), "cannot load " + other);
  }

  @Test
  void ofAnotherVersion() throws Exception {
    Path stub = stub(String.format(WELCOME, 999), true);
    falls(stub.toString(), "the library speaks wire version 999, this jar speaks 1");
  }

  @Test
  void withASymbolMissing() throws Exception {
    Path stub = stub(String.format(WELCOME, 1), false);
    falls(stub.toString(), stub + " lacks a function: ");
  }

  @Test
  void ofAnotherKind() throws Exception {
    Path text = Files.writeString(folder.resolve("libballast.so"), "not a library");
    falls(text.toString(), "cannot load " + text);
  }

  @Test
  void withAnotherChecksumThanItsIndexSays() throws Exception {
    packed("0".repeat(64));
    falls("", "libballast.so has SHA-256");
  }

  @Test
  void temporaryFolderMissing() throws Exception {
    packed(sha256(Rig.library()));
    System.setProperty("java.io.tmpdir", folder.resolve("missing").toString());
    falls("", "java.io.tmpdir");
  }

  @Test
  void temporaryFolderIsAFile() throws Exception {
    packed(sha256(Rig.library()));
    Path file = Files.writeString(folder.resolve("file"), "");
    System.setProperty("java.io.tmpdir", file.toString());
    falls("", "cannot extract the jar's libraries into java.io.tmpdir " + file);
  }

  @Test
  void temporaryFolderRelative() throws Exception {
    packed(sha256(Rig.library()));
    Path relative = Path.of("").toAbsolutePath().relativize(folder.toAbsolutePath());
    System.setProperty("java.io.tmpdir", relative.toString());
    serves("");
    assertEquals(List.of(), leftOvers());
  }

  @Test
  void twoClassLoadersEachLoadTheirOwnCopyAndLeaveNothingBehind() throws Exception {
    packed(sha256(Rig.library()));
    System.setProperty("java.io.tmpdir", folder.toString());
    try (IsolatedShim first = new IsolatedShim(folder);
        IsolatedShim second = new IsolatedShim(folder)) {
      for (IsolatedShim shim : List.of(first, second)) {
        assertEquals(4, executors(shim.round(States.submitted(), Map.of())));
      }
    }
    assertEquals(List.of(), log.troubles());
    assertEquals(2, log.all().stream().filter(l -> l.text().contains("placed plan-")).count());
    assertEquals(List.of(), leftOvers());
  }

  @Test
  void anotherSpellingOfTheSamePathIsTheSameLibraryAndAnotherPathIsRefused() {
    Path library = Rig.library();
    Path spelled = library.resolveSibling(Path.of(".", library.getFileName().toString()));
    String loaded = NativeLoader.load(library.toString());
    assertEquals(loaded, NativeLoader.load(spelled.toString()));
    NativeFailure refused =
        assertThrows(
            NativeFailure.class, () -> NativeLoader.load(folder.resolve("x.so").toString()));
    assertTrue(refused.getMessage().contains("is loaded already"), refused.getMessage());
  }

  @Test
  void aSecondClassLoaderOnOnePathFallsBackWithTheReason() throws Exception {
    Path library = Files.copy(Rig.library(), folder.resolve("libballast.so"));
    try (IsolatedShim first = new IsolatedShim()) {
      first.round(States.submitted(), Map.of("ballast.native.path", library.toString()));
      assertEquals(List.of(), log.troubles());
      falls(library.toString(), "already loaded in another classloader");
    }
  }

  @Test
  void whatADeadJvmLeftIsRemovedAndNeverTrusted() throws Exception {
    packed(sha256(Rig.library()));
    System.setProperty("java.io.tmpdir", folder.toString());
    // A process id beyond the kernel's largest.
    Path left = Files.createDirectory(folder.resolve("ballast-native-99999999-1"));
    Files.writeString(left.resolve("libballast.so"), "an old copy");
    serves("");
    assertEquals(List.of(), leftOvers());
  }

  /** The engine is there and places. */
  private void serves(String path) throws IOException {
    try (IsolatedShim shim = new IsolatedShim(folder)) {
      Cluster after = shim.round(States.submitted(), settings(path));
      assertEquals(List.of(), log.troubles());
      assertEquals(4, executors(after));
      assertTrue(
          log.all().stream().anyMatch(l -> l.text().contains("placed plan-")),
          () -> "not placed by the engine: " + log.all());
    }
  }

  private void falls(String path, String said) throws IOException {
    try (IsolatedShim shim = new IsolatedShim(folder)) {
      Cluster after = shim.round(States.submitted(), settings(path));
      Rig.assertSame(Rig.stock(States.submitted()), after);
    }
    assertEquals(1, log.troubles().size(), () -> "" + log.troubles());
    String line = log.troubles().get(0);
    assertTrue(line.startsWith("Ballast has no engine: "), line);
    assertTrue(line.contains(said), line);
  }

  private static Map<String, Object> settings(String path) {
    return path.isEmpty() ? Map.of() : Map.of("ballast.native.path", path);
  }

  private static int executors(Cluster cluster) {
    return cluster.getAssignmentById("t1").getExecutors().size();
  }

  /** A folder like the jar's inside, with the library and an index that states this checksum. */
  private void packed(String sum) throws IOException {
    Path inside = Files.createDirectories(folder.resolve("native/linux-x86_64"));
    Files.copy(Rig.library(), inside.resolve("libballast.so"));
    Files.writeString(inside.resolve("SHA256SUMS"), sum + "  libballast.so\n");
  }

  private static String sha256(Path file) throws Exception {
    byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(sum);
  }

  private List<Path> leftOvers() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> f.getFileName().toString().startsWith("ballast-native-")).toList();
    }
  }

  private Path stub(String hello, boolean withAnswer) throws Exception {
    Path source = Path.of(NativeLibraryTest.class.getResource("/native-stub/stub.c").toURI());
    Path include = Path.of(System.getProperty("java.home"), "include");
    Path stub = folder.resolve("libballast.so");
    Process compiler =
        new ProcessBuilder(
                "cc",
                "-shared",
                "-fPIC",
                "-I",
                include.toString(),
                "-I",
                include + "/linux",
                "-DHELLO=\"" + hello + "\"",
                withAnswer ? "-DWITH_ANSWER" : "-DNO_ANSWER",
                "-o",
                stub.toString(),
                source.toString())
            .inheritIO()
            .start();
    assertEquals(0, compiler.waitFor(), "cc could not compile " + source);
    return stub;
  }
}
