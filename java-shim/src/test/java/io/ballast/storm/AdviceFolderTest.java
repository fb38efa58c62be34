package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.storm.scheduler.ExecutorDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Advice as files: what they say, who reads them back, and what a bad folder costs. */
class AdviceFolderTest {
  private static final String FIRST = "t1 2 n2 n3, t1 3 n3 gone";

  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  private Rig rig(ScriptedEngine engine) {
    return Rig.withEngine(engine).set("advice.dir", folder.toString());
  }

  private static ScriptedEngine advising(String replicas) {
    return new ScriptedEngine(request -> ScriptedEngine.advising(request, "[]", replicas));
  }

  private static void round(Rig rig, ClusterBuilder state) {
    rig.round(state);
    rig.plan();
  }

  private static TopologyAdvice advice(String topology, String takenAt, String... nodes) {
    List<TopologyAdvice.Node> copies =
        Stream.of(nodes).map(id -> new TopologyAdvice.Node(id, null)).toList();
    return new TopologyAdvice(
        topology,
        7,
        Instant.parse(takenAt),
        List.of(new TopologyAdvice.State(new ExecutorDetails(2, 2), "count", 2000, true, copies)));
  }

  @Test
  void aFileSaysWhereTheCopiesOfEachStateShouldLie() throws IOException {
    try (Rig rig = rig(advising(FIRST))) {
      round(rig, StatefulTopologies.running());
    }
    assertEquals(List.of("t1.json"), names());
    assertEquals(
        "{\"ballast\":\"advice\",\"version\":1,\"topology\":\"t1\",\"generation\":2,"
            + "\"taken_at\":\"2026-11-30T00:00:00Z\",\"states\":["
            + "{\"tasks\":[2,2],\"component\":\"count\",\"state_bytes\":2000,\"estimated\":true,"
            + "\"copies\":[{\"id\":\"n2\",\"host\":\"h2\"},{\"id\":\"n3\",\"host\":\"h3\"}]},"
            + "{\"tasks\":[3,3],\"component\":\"count\",\"state_bytes\":3000,\"estimated\":true,"
            + "\"copies\":[{\"id\":\"n3\",\"host\":\"h3\"},{\"id\":\"gone\"}]}]}",
        Files.readString(folder.resolve("t1.json")));
    assertTrue(
        Files.readString(folder.resolve("t1.json")).startsWith(TopologyAdvice.HEADER),
        "else it is never removed");
  }

  /** Whoever stores the states runs as another user. */
  @Test
  void aFileMayBeReadByThoseWhoMayReadAnyNewFile() throws IOException {
    Files.createFile(folder.resolve("ordinary"));
    new AdviceFolder(folder.toString()).store(List.of(advice("t1", "2026-11-30T00:00:00Z")));
    Set<PosixFilePermission> ordinary = Files.getPosixFilePermissions(folder.resolve("ordinary"));
    assertEquals(ordinary, Files.getPosixFilePermissions(folder.resolve("t1.json")));
  }

  @Test
  void filesOfTopologiesThatAreGoneAreRemovedAndNobodyElses() throws IOException {
    Files.writeString(folder.resolve("other.json"), "{\"ballast\":\"snapshot\"}");
    Files.writeString(folder.resolve("empty.json"), "");
    Files.writeString(folder.resolve("notes.txt"), TopologyAdvice.HEADER);
    new AdviceFolder(folder.toString())
        .store(List.of(advice("before", "2026-11-30T00:00:00Z", "n1")));
    try (Rig rig = rig(advising(FIRST))) {
      round(rig, StatefulTopologies.running());
      assertEquals(List.of("empty.json", "notes.txt", "other.json", "t1.json"), names());
      round(rig, StatefulTopologies.running().kill("t1"));
      assertEquals(List.of("empty.json", "notes.txt", "other.json"), names());
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void aNewLeaderBeginsWithTheFiles() throws IOException {
    try (Rig old = rig(advising(FIRST))) {
      round(old, StatefulTopologies.running());
    }
    ScriptedEngine engine = advising(FIRST);
    try (Rig fresh = rig(engine)) {
      round(fresh, StatefulTopologies.running());
      JsonNode copies = engine.request.path("topologies").path(0).path("checkpoints");
      assertEquals(4, copies.size(), copies::toString);
      assertEquals("n3", copies.path(1).path("node").asText());
      assertEquals(2000, copies.path(1).path("bytes").asInt());
      assertTrue(
          fresh.log.all().stream().noneMatch(l -> l.text().contains("copies advised")),
          "the same advice is no news");
    }
  }

  @Test
  void ofTwoAdvicesTheLaterOneHolds() {
    AdviceMemory memory = new AdviceMemory();
    TopologyAdvice early = advice("t1", "2026-11-30T00:00:00Z", "n1");
    TopologyAdvice late = advice("t1", "2026-11-30T00:00:10Z", "n2");
    memory.adopt(early);
    memory.adopt(late);
    assertEquals(late, memory.of("t1"));
    memory.adopt(early);
    assertEquals(late, memory.of("t1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "garbage",
        "[]",
        "{\"ballast\":\"advice\",\"version\":2,\"topology\":\"t1\",\"states\":[]}",
        "{\"ballast\":\"advice\",\"version\":1,\"topology\":\"t1\",\"taken_at\":\"now\",\"states\":[]}",
        "{\"ballast\":\"advice\",\"version\":1,\"topology\":\"u\","
            + "\"taken_at\":\"2026-11-30T00:00:00Z\",\"states\":[]}",
        "{\"ballast\":\"advice\",\"version\":1,\"topology\":\"t1\","
            + "\"taken_at\":\"2026-11-30T00:00:00Z\",\"states\":[{\"tasks\":\"2\"}]}",
        "{\"ballast\":\"advice\",\"version\":1,\"topology\":\"t1\","
            + "\"taken_at\":\"2026-11-30T00:00:00Z\",\"states\":[{\"tasks\":[2,2],\"state_bytes\":-1}]}",
        "{\"ballast\":\"advice\",\"version\":1,\"topology\":\"t1\","
            + "\"taken_at\":\"2026-11-30T00:00:00Z\",\"states\":[{\"tasks\":[2,2],\"state_bytes\":1,"
            + "\"copies\":[{}]}]}"
      })
  void garbageIsLeftOutWithOneLineAndReplaced(String garbage) throws IOException {
    Files.writeString(folder.resolve("t1.json"), garbage);
    ScriptedEngine engine = advising(FIRST);
    try (Rig rig = rig(engine)) {
      round(rig, StatefulTopologies.running());
      assertEquals(0, engine.request.path("topologies").path(0).path("checkpoints").size());
      round(rig, StatefulTopologies.running());
      round(rig, StatefulTopologies.running());
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      assertTrue(rig.log.troubles().get(0).contains(folder.resolve("t1.json") + " is left out"));
    }
    assertEquals(
        2, TopologyAdvice.read(Files.readAllBytes(folder.resolve("t1.json"))).states().size());
  }

  /** A file stands where the folder should; root, who may run this, can write anywhere else. */
  @Test
  void aFolderThatCannotBeWrittenCostsOneWarningUntilItCan() throws IOException {
    Path inTheWay = Files.writeString(folder.resolve("advice"), "");
    ScriptedEngine engine = advising(FIRST);
    try (Rig rig = Rig.withEngine(engine).set("advice.dir", inTheWay.toString())) {
      for (int i = 0; i < 3; i++) {
        round(rig, StatefulTopologies.running());
      }
      assertEquals(3, engine.asked.get());
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      assertTrue(rig.log.troubles().get(0).contains("ballast.advice.dir = " + inTheWay));
      Files.delete(inTheWay);
      for (int i = 0; i < 2; i++) {
        round(rig, StatefulTopologies.running());
      }
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      long ended =
          rig.log.all().stream()
              .filter(l -> l.level() == Level.INFO && l.text().contains(inTheWay + " again"))
              .count();
      assertEquals(1, ended, () -> "" + rig.log.all());
      assertTrue(Files.exists(inTheWay.resolve("t1.json")));
    }
  }

  @Test
  void aFileThatCannotBeReplacedLeavesNothingBehindAndKeepsNoOtherBack() throws IOException {
    Files.createFile(Files.createDirectory(folder.resolve("t1.json")).resolve("in the way"));
    AdviceFolder store = new AdviceFolder(folder.toString());
    String now = "2026-11-30T00:00:00Z";
    try (LogLines log = new LogLines()) {
      store.store(List.of(advice("t1", now, "n1"), advice("t2", now, "n1")));
      assertEquals(1, log.troubles().size(), () -> "" + log.troubles());
    }
    assertEquals(List.of("t1.json", "t2.json"), names());
  }

  @Test
  void withoutAFolderNothingIsWrittenOrSaid() {
    try (Rig rig = Rig.withEngine(advising(FIRST))) {
      round(rig, StatefulTopologies.running());
      assertEquals(List.of(), rig.log.troubles());
    }
  }

  @Test
  void whereNothingHasAStateNoFolderIsMade() {
    Path missing = folder.resolve("missing");
    new AdviceFolder(missing.toString()).store(List.of());
    assertFalse(Files.exists(missing));
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "../up", "/etc/up", "a/b", ".hidden", "a\nb", "", "nul\0", "ü%"})
  void noIdLeadsOutOfTheFolder(String id) throws IOException {
    Path inside = Files.createDirectory(folder.resolve("inside"));
    AdviceFolder store = new AdviceFolder(inside.toString());
    TopologyAdvice advice = advice(id, "2026-11-30T00:00:00Z", "n1");
    store.store(List.of(advice));
    assertEquals(List.of("inside"), names());
    try (Stream<Path> files = Files.list(inside)) {
      List<Path> one = files.toList();
      assertEquals(1, one.size(), one::toString);
      assertTrue(one.get(0).getFileName().toString().matches("[A-Za-z0-9%_-]+\\.json"));
    }
    assertEquals(List.of(advice), store.read(List.of(id)));
    store.store(List.of());
    try (Stream<Path> files = Files.list(inside)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void anOrdinaryIdIsItsNameAndNoTwoIdsShareOne() {
    assertEquals("flights_2-3-1795998681", AdviceFileName.of("flights_2-3-1795998681"));
    assertEquals("a%2Eb", AdviceFileName.of("a.b"));
    String deep = "x".repeat(300);
    Set<String> names = new HashSet<>();
    for (String id : List.of("a.b", "a%2Eb", deep, deep + "x", deep.substring(0, 200), "", "%")) {
      assertTrue(names.add(AdviceFileName.of(id)), id);
      assertTrue(AdviceFileName.of(id).length() <= 200, id);
    }
    assertNotEquals(AdviceFileName.of("x".repeat(201)), AdviceFileName.of("x".repeat(202)));
  }
}
