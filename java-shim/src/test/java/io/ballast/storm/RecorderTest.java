package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded is what was sent and answered. */
class RecorderTest {
  @TempDir Path folder;

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  @Test
  void requestAndReplyOfEachPlanningRoundAreKeptAndTheOldestDeleted() throws IOException {
    ScriptedEngine engine = ScriptedEngine.assigning("n1:6700 1 3, n2:6700 2 4");
    try (Rig rig =
        Rig.withEngine(engine).set("record.dir", folder.toString()).set("record.files", 2)) {
      for (int i = 0; i < 3; i++) {
        rig.round(States.running());
        rig.plan();
      }
      List<Path> files = files();
      assertEquals(4, files.size(), files::toString);
      assertTrue(files.get(0).toString().contains("g0000000"), files::toString);
      byte[] newest = Files.readAllBytes(files.get(3));
      assertEquals(engine.request, Wire.object(newest), "names sort by time, request after reply");
      assertArrayEquals(
          ScriptedEngine.plan(engine.request, "t1", "n1:6700 1 3, n2:6700 2 4")
              .getBytes(StandardCharsets.UTF_8),
          Files.readAllBytes(files.get(2)));
    }
  }

  @Test
  void anAnswerThatCannotBeReadIsRecordedAllTheSame() throws IOException {
    try (Rig rig =
        Rig.withEngine(new ScriptedEngine(r -> "garbage")).set("record.dir", folder.toString())) {
      rig.round(States.running());
      try {
        rig.plan();
      } catch (NativeFailure expected) {
        assertTrue(expected.getMessage().contains("garbage"));
      }
      assertEquals("garbage", Files.readString(files().get(0)));
    }
  }

  @Test
  void whatCouldNotBeRecordedLeavesNothingBehind() throws IOException {
    Instant at = Instant.parse("2026-11-30T00:28:34Z");
    ClusterSnapshot snapshot = new ClusterSnapshot(7, at, List.of(), List.of());
    Path name = folder.resolve("20261130T002834.000Z-g00000007-request.json");
    Files.createFile(Files.createDirectory(name).resolve("in the way"));
    new Recorder(folder.toString(), 2).request(snapshot, new byte[] {'{'});
    assertEquals(List.of(name), files());
  }

  @Test
  void aFolderThatCannotBeWrittenCostsOneWarningAndNoPlan() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    ScriptedEngine engine = ScriptedEngine.assigning("n1:6700 1 3, n2:6700 2 4");
    try (Rig rig = Rig.withEngine(engine).set("record.dir", file.toString())) {
      for (int i = 0; i < 3; i++) {
        rig.round(States.running());
        rig.plan();
      }
      assertEquals(3, engine.asked.get());
      assertEquals(1, rig.log.troubles().size(), () -> "" + rig.log.troubles());
      assertTrue(rig.log.troubles().get(0).contains("ballast.record.dir = " + file));
    }
  }
}
