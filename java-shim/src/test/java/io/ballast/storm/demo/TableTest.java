package io.ballast.storm.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the demo shows. */
class TableTest {
  private static Optional<Measured> nodes(double first, double second) {
    return Optional.of(
        new Measured(
            20,
            List.of(
                new Measured.Node("4fe659a1-5d2c", first / 2, 0.5, 2, 10),
                new Measured.Node("77be1234-aaaa", second / 2, 0.5, 3, 13)),
            400,
            4466.4,
            6.84,
            0));
  }

  private static final View END =
      new View(
          95,
          "done",
          nodes(1.0, 0.0),
          nodes(0.5, 0.5),
          List.of(new AppliedPlan("plan-1", 7, 4, 0.0234, List.of())),
          4);

  @Test
  void showsBothStatesNodeByNode() {
    assertEquals(
        """
        node               utilization before    now                   workers, execs
        4fe659a1           ##############  1.00  #######.......  0.50  2, 10
        77be1234           ..............  0.00  #######.......  0.50  3, 13
        load distance      0.500                 0.000                 predicted 0.023
        tuples a second    4466                  4466
        complete latency   6.8 ms                6.8 ms
        failed tuple trees 0                     0
        restarts spent     -                     4
        """,
        String.join("\n", new Table(false).lines(END)) + "\n");
  }

  @Test
  void aRowFitsATerminalAndColorTakesNoRoom() {
    List<String> plain = new Table(false).lines(END);
    List<String> colored = new Table(true).lines(END);
    assertTrue(plain.stream().allMatch(line -> line.length() <= 80), plain::toString);
    assertTrue(colored.get(1).contains("\u001b[31m#"), "far from the mean is red");
    assertEquals(
        plain, colored.stream().map(line -> line.replaceAll("\u001b\\[[0-9;]*m", "")).toList());
  }

  @Test
  void beforeAnythingIsKnownThereIsNoFigure() {
    View start = new View(0, "waiting", Optional.empty(), Optional.empty(), List.of(), 0);
    List<String> lines = new Table(false).lines(start);
    assertTrue(lines.contains("load distance      -                     -"), lines::toString);
  }
}
