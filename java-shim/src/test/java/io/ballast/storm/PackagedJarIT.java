package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar that {@code scripts/build-jar} made, as an operator gets it: what is in it, what its
 * libraries need, and that it works where no CBC is installed.
 */
class PackagedJarIT {
  private static final Path JAR = Path.of(System.getProperty("ballast.test.jar"));
  private static final String NATIVE = "native/linux-" + arch() + "/";

  /** Everything that may be in the jar. */
  private static final Pattern ALLOWED =
      Pattern.compile(
          "META-INF/(MANIFEST\\.MF|LICENSE|NOTICE)"
              + "|META-INF/maven/io\\.ballast/ballast-storm/pom\\.(xml|properties)"
              + "|META-INF/licenses/[a-z0-9.+-]+\\.txt"
              + "|io/ballast/storm/(telemetry/)?([A-Z][A-Za-z$0-9]*|package-info)\\.class"
              + "|native/linux-[a-z0-9_]+/(SHA256SUMS|lib[A-Za-z0-9]+\\.so[.0-9]*)");

  private static final Path HOOK_JAR = Path.of(System.getProperty("ballast.test.hook"));

  /** Everything that may be in the hook's jar. */
  private static final Pattern HOOK_ALLOWED =
      Pattern.compile(
          "META-INF/(MANIFEST\\.MF|LICENSE)"
              + "|META-INF/maven/io\\.ballast/ballast-storm/pom\\.(xml|properties)"
              + "|io/ballast/hook/([A-Z][A-Za-z$0-9]*|package-info)\\.class");

  /** What the hook may use: the JDK, and what of Storm every worker has. */
  private static final Pattern HOOK_USES =
      Pattern.compile(
          "java\\..*|javax\\.crypto\\..*|com\\.sun\\.management\\..*|io\\.ballast\\.hook\\..*"
              + "|org\\.slf4j\\..*|com\\.codahale\\.metrics\\.Gauge"
              + "|org\\.apache\\.storm\\.(Config|(cluster|generated|hooks|hooks\\.info|metrics2"
              + "|serialization|task|tuple|utils)\\.[A-Z].*)");

  /** Libraries that every host with a JVM has. */
  private static final Set<String> OF_THE_HOST =
      Set.of(
          "libc.so.6",
          "libm.so.6",
          "libdl.so.2",
          "libpthread.so.0",
          "libgcc_s.so.1",
          "libstdc++.so.6",
          "libz.so.1",
          "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1");

  /** Libraries the MILP needs, which a Nimbus host has not. */
  private static final Pattern OF_COIN =
      Pattern.compile(
          ".*/lib(CbcSolver|Cbc|Cgl|OsiClp|Clp|Osi|CoinUtils|lapack|blas|gfortran|quadmath)\\.so.*");

  @TempDir Path folder;

  @Test
  void holdsOnlyWhatIsAllowed() throws IOException {
    Set<String> files = files();
    List<String> strange = files.stream().filter(f -> !ALLOWED.matcher(f).matches()).toList();
    assertEquals(List.of(), strange, "neither tests nor other people's classes belong in the jar");
    Set<String> classes = new TreeSet<>();
    Path testClasses = testClasses().resolve("io/ballast/storm");
    try (Stream<Path> compiled = Files.list(testClasses)) {
      compiled.forEach(file -> classes.add("io/ballast/storm/" + file.getFileName()));
    }
    classes.retainAll(files);
    assertEquals(Set.of(), classes, "test classes in the jar");
    assertTrue(files.contains("io/ballast/storm/BallastScheduler.class"), files::toString);
    assertTrue(files.contains(NATIVE + "libballast.so"), "no engine: run scripts/build-jar first");
    assertTrue(files.contains(NATIVE + "libCbcSolver.so.3"), "no CBC: " + files);
  }

  @Test
  void theHookIsItsOwnClassesAndNeedsNothingThatATopologyMightBring() throws IOException {
    Set<String> files = files(HOOK_JAR);
    assertEquals(
        List.of(), files.stream().filter(f -> !HOOK_ALLOWED.matcher(f).matches()).toList());
    assertTrue(files.contains("io/ballast/hook/TelemetryHook.class"), files::toString);
    assertTrue(files.contains("META-INF/LICENSE"), files::toString);
    StringWriter told = new StringWriter();
    int status =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(told),
                new PrintWriter(told),
                "-verbose:class",
                "--ignore-missing-deps",
                "-filter:none",
                HOOK_JAR.toString());
    assertEquals(0, status, told::toString);
    Set<String> uses =
        told.toString()
            .lines()
            .map(line -> line.trim().split("\\s+"))
            .filter(words -> words.length > 2 && words[0].startsWith("io.ballast.hook."))
            .map(words -> words[2])
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(uses.contains("org.apache.storm.task.TopologyContext"), told::toString);
    assertEquals(
        List.of(), uses.stream().filter(name -> !HOOK_USES.matcher(name).matches()).toList());
  }

  @Test
  void everyLibraryComesWithItsLicense() throws IOException {
    Set<String> files = files();
    assertTrue(files.contains("META-INF/LICENSE"));
    assertTrue(files.contains("META-INF/NOTICE"));
    for (String part : List.of("libcbc", "libcgl", "libclp", "libosi", "libcoinutils")) {
      assertTrue(
          files.stream().anyMatch(f -> f.startsWith("META-INF/licenses/coinor-" + part)),
          "no license of " + part);
    }
    for (String part : List.of("libblas", "liblapack", "libgfortran", "libquadmath", "libbz2")) {
      assertTrue(
          files.stream().anyMatch(f -> f.startsWith("META-INF/licenses/" + part)),
          "no license of " + part);
    }
  }

  @Test
  void itsLibrariesNeedOnlyEachOtherAndTheHosts() throws Exception {
    Set<String> bundled =
        files().stream()
            .filter(file -> file.startsWith(NATIVE) && file.contains(".so"))
            .map(file -> file.substring(NATIVE.length()))
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(bundled.contains("libballast.so"), bundled::toString);
    for (String library : bundled) {
      Path file = extract(NATIVE + library);
      String dynamic = run(List.of("readelf", "-d", file.toString()));
      Set<String> needed = new TreeSet<>();
      Pattern.compile("\\(NEEDED\\).*\\[(.*)]")
          .matcher(dynamic)
          .results()
          .forEach(match -> needed.add(match.group(1)));
      assertTrue(needed.size() > 0, "no NEEDED of " + library + " in " + dynamic);
      needed.removeAll(OF_THE_HOST);
      needed.removeAll(bundled);
      assertEquals(Set.of(), needed, library + " needs what is neither bundled nor on every host");
      if (library.equals("libballast.so")) {
        assertTrue(dynamic.contains("(RPATH)") && dynamic.contains("[$ORIGIN]"), dynamic);
      }
    }
  }

  @Test
  void planWithCbcUsesOnlyTheJarsOwnLibraries() throws Exception {
    check(run(probe()));
  }

  /** The system's libraries are covered by an empty file, in a mount namespace of the child. */
  @Test
  void planWithCbcWhereTheSystemHasNone() throws Exception {
    List<String> namespace = namespace();
    assumeTrue(!namespace.isEmpty(), "mount namespaces are not permitted here");
    List<Path> hidden = systemLibraries();
    assertTrue(
        hidden.stream().anyMatch(file -> file.toString().contains("libCbcSolver")),
        () -> "the test hides nothing, so it would prove nothing: " + hidden);
    StringBuilder hide = new StringBuilder("set -e; ");
    for (Path file : hidden) {
      hide.append("mount --bind /dev/null %1$s; test ! -s %1$s; ".formatted(file));
    }
    hide.append("exec \"$@\"");
    List<String> command = new ArrayList<>(namespace);
    command.addAll(List.of("sh", "-c", hide.toString(), "sh"));
    command.addAll(probe());
    check(run(command));
  }

  private static void check(String output) throws IOException {
    List<String> lines = output.lines().toList();
    assertEquals(JAR.toRealPath().toString(), after("from ", lines), output);
    JsonNode welcome = new ObjectMapper().readTree(after("welcome ", lines));
    assertTrue(welcome.path("strategies").toString().contains("\"milp\""), output);
    JsonNode plan = new ObjectMapper().readTree(after("plan ", lines));
    assertEquals("improved", plan.path("verdict").asText(), output);
    assertEquals("milp", plan.path("certificate").path("strategy").asText(), output);
    Set<String> coin =
        lines.stream()
            .filter(line -> line.startsWith("mapped "))
            .map(line -> line.substring("mapped ".length()))
            .filter(path -> OF_COIN.matcher(path).matches())
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(coin.stream().anyMatch(path -> path.contains("libCbcSolver")), output);
    assertEquals(
        List.of(),
        coin.stream().filter(path -> !path.contains("/ballast-native-")).toList(),
        "COIN libraries from elsewhere than the jar");
  }

  private static String after(String prefix, List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line '" + prefix + "' in " + lines));
  }

  private List<String> probe() throws IOException {
    Path hello = Files.writeString(folder.resolve("hello.json"), HELLO);
    Path snapshot = Files.writeString(folder.resolve("snapshot.json"), SNAPSHOT);
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Djava.io.tmpdir=" + folder,
        "-cp",
        JAR + ":" + testClasses(),
        JarProbe.class.getName(),
        hello.toString(),
        snapshot.toString());
  }

  /** How a command gets mounts of its own; empty where that is not permitted. */
  private static List<String> namespace() throws Exception {
    for (List<String> way : List.of(List.of("unshare", "-m"), List.of("unshare", "-r", "-m"))) {
      List<String> trial = new ArrayList<>(way);
      trial.addAll(List.of("mount", "--bind", "/dev/null", "/dev/null"));
      try {
        if (new ProcessBuilder(trial).redirectErrorStream(true).start().waitFor() == 0) {
          return way;
        }
      } catch (IOException missing) {
        return List.of();
      }
    }
    return List.of();
  }

  /** The files behind the bundled libraries' names in the system's folders. */
  private static List<Path> systemLibraries() throws IOException {
    Set<Path> found = new TreeSet<>();
    for (String file : files()) {
      if (file.startsWith(NATIVE) && OF_COIN.matcher("/" + file).matches()) {
        String name = file.substring(NATIVE.length());
        for (String place :
            List.of("/usr/lib/" + arch() + "-linux-gnu", "/usr/lib64", "/usr/lib")) {
          Path library = Path.of(place, name);
          if (Files.exists(library)) {
            found.add(library.toRealPath());
          }
        }
      }
    }
    return List.copyOf(found);
  }

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output;
    try (InputStream out = process.getInputStream()) {
      output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertEquals(0, process.waitFor(), () -> command + " said: " + output);
    return output;
  }

  private static Set<String> files() throws IOException {
    return files(JAR);
  }

  private static Set<String> files(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream()
          .filter(entry -> !entry.isDirectory())
          .map(JarEntry::getName)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private Path extract(String name) throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(name))) {
      Path file = folder.resolve(name.substring(name.lastIndexOf('/') + 1));
      Files.copy(in, file);
      return file;
    }
  }

  private static Path testClasses() {
    return Path.of(
        PackagedJarIT.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static String arch() {
    String arch = System.getProperty("os.arch");
    return arch.equals("amd64") ? "x86_64" : arch;
  }

  private static final String HELLO =
      "{\"ballast\": \"hello\", \"version\": 1, \"settings\": {\"strategy\": \"milp\"}}";

  /** Two nodes of one core; both workers of the topology are on the first. */
  private static final String SNAPSHOT =
      """
      {
        "ballast": "snapshot", "version": 1, "ask": "plan", "generation": 1,
        "taken_at": "2026-11-30T00:28:34Z", "window_secs": 600.0,
        "settings": {"strategy": "milp"},
        "nodes": [
          {"id": "n1", "host": "h1", "cpu_cores": 1.0, "ports": [6700, 6701]},
          {"id": "n2", "host": "h2", "cpu_cores": 1.0, "ports": [6700, 6701]}
        ],
        "topologies": [{
          "id": "t-1-1", "name": "t", "workers": 2,
          "components": [{"id": "b", "kind": "bolt", "inputs": []}],
          "executors": [
            {"tasks": [1, 1], "component": "b", "node": "n1", "port": 6700,
             "uptime_secs": 900.0, "cpu_cores": 0.4},
            {"tasks": [2, 2], "component": "b", "node": "n1", "port": 6701,
             "uptime_secs": 900.0, "cpu_cores": 0.4}
          ]
        }]
      }
      """;
}
