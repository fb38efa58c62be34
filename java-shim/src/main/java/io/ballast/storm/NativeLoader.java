package io.ballast.storm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Finds the engine's library and loads it: the file {@code ballast.native.path} names, else the
 * libraries inside the jar. They lie under {@code /native/linux-x86_64/}; {@code SHA256SUMS} there
 * lists them, one {@code <sha-256> <two blanks> <file name>} a line, {@value #LIBRARY} among them
 * with RPATH {@code $ORIGIN}, so that it finds the others beside it.
 *
 * <p>They are extracted into a private folder that is new for every load, never into a place an
 * older copy could sit in, checked against their sums, loaded, and deleted at once (Linux keeps a
 * mapped file alive). A new path for every load also lets a second class loader of the same JVM
 * load it, which the JVM forbids for one path.
 *
 * <p>A failure is an exception with path and reason, at a time the caller chooses; a static
 * initializer would turn it into a class that is broken for good.
 */
final class NativeLoader {
  static final String LIBRARY = "libballast.so";
  private static final String FOLDER = "ballast-native-";

  /** The path this class loader has loaded from, and its description; null before. */
  private static String loadedPath;

  private static String loaded;

  private NativeLoader() {}

  /**
   * Loads the library, once per class loader: the JVM binds native functions for good, so another
   * library needs another JVM.
   *
   * @param path the library to load; empty: the one in the jar
   * @return which library it is, for messages
   * @throws NativeFailure if there is none, or it cannot be loaded
   */
  static synchronized String load(String path) {
    // One file has many spellings; only another file is another library.
    String wanted = path.isEmpty() ? "" : Path.of(path).toAbsolutePath().normalize().toString();
    if (loaded == null) {
      loaded = wanted.isEmpty() ? loadFromJar() : loadFile(Path.of(wanted));
      loadedPath = wanted;
    } else if (!loadedPath.equals(wanted)) {
      String other = wanted.isEmpty() ? "the jar's library" : wanted;
      throw new NativeFailure(
          "cannot load " + other + ": " + loaded + " is loaded already; restart Nimbus");
    }
    return loaded;
  }

  private static String loadFile(Path library) {
    if (!Files.isRegularFile(library)) {
      throw new NativeFailure(
          "no library at " + library + "; correct or remove ballast.native.path");
    }
    ElfFile.check(library);
    link(library, library.toString());
    return library.toString();
  }

  private static void link(Path library, String name) {
    try {
      System.load(library.toString());
    } catch (UnsatisfiedLinkError | SecurityException refused) {
      throw new NativeFailure("cannot load " + name + ": " + refused.getMessage(), refused);
    }
  }

  private static String loadFromJar() {
    String platform = platform();
    String root = "/native/" + platform + "/";
    Map<String, String> sums = sums(root, platform);
    Path folder = null;
    try {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
      removeLeftOvers(temporary);
      folder = Files.createTempDirectory(temporary, FOLDER + ProcessHandle.current().pid() + "-");
      for (Map.Entry<String, String> library : sums.entrySet()) {
        extract(root + library.getKey(), folder.resolve(library.getKey()), library.getValue());
      }
      Path library = folder.resolve(LIBRARY);
      link(
          library,
          "the jar's "
              + LIBRARY
              + " from "
              + folder
              + " (must not be mounted noexec; ballast.native.path names a library elsewhere)");
      return "the jar's " + LIBRARY + " (" + platform + ")";
    } catch (IOException unusable) {
      throw new NativeFailure(
          "cannot extract the jar's libraries into java.io.tmpdir "
              + System.getProperty("java.io.tmpdir")
              + " ("
              + unusable
              + "); give Nimbus another java.io.tmpdir, or unpack them and set ballast.native.path",
          unusable);
    } finally {
      if (folder != null) {
        remove(folder);
      }
    }
  }

  private static String platform() {
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return System.getProperty("os.name").toLowerCase(Locale.ROOT)
        + "-"
        + (arch.equals("amd64") ? "x86_64" : arch);
  }

  private static Map<String, String> sums(String root, String platform) {
    Map<String, String> sums = new LinkedHashMap<>();
    try (InputStream index = NativeLoader.class.getResourceAsStream(root + "SHA256SUMS")) {
      if (index == null) {
        throw new NativeFailure(
            "the jar holds no library for " + platform + "; set ballast.native.path to one");
      }
      new String(index.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("  ", 2))
          .filter(parts -> parts.length == 2)
          .forEach(parts -> sums.put(parts[1], parts[0]));
    } catch (IOException unreadable) {
      throw new NativeFailure("the jar's " + root + " cannot be read: " + unreadable, unreadable);
    }
    if (!sums.containsKey(LIBRARY)) {
      throw new NativeFailure("the jar's " + root + "SHA256SUMS does not list " + LIBRARY);
    }
    return sums;
  }

  private static void extract(String resource, Path file, String sum) throws IOException {
    try (InputStream in = NativeLoader.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new NativeFailure("the jar lacks " + resource + ", which its index lists");
      }
      Files.copy(in, file);
    }
    String found;
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      found = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JVM has SHA-256", impossible);
    }
    if (!found.equals(sum)) {
      throw new NativeFailure(resource + " has SHA-256 " + found + ", the index says " + sum);
    }
  }

  /** Folders of JVMs that died between extracting and deleting; their name holds the process id. */
  private static void removeLeftOvers(Path temporary) {
    try (Stream<Path> folders = Files.list(temporary)) {
      folders.filter(NativeLoader::isLeftOver).forEach(NativeLoader::remove);
    } catch (IOException | RuntimeException ignored) {
      // Tidying is no reason to do without the engine.
    }
  }

  private static boolean isLeftOver(Path folder) {
    String name = folder.getFileName().toString();
    if (!name.startsWith(FOLDER)) {
      return false;
    }
    String pid = name.substring(FOLDER.length()).split("-", 2)[0];
    return pid.matches("\\d{1,18}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
  }

  private static void remove(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException leftOver) {
      folder.toFile().deleteOnExit();
    }
  }
}
