package io.ballast.storm.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TablesTest {
  private static List<JsonNode> runs(String... lines) throws IOException {
    List<JsonNode> runs = new ArrayList<>();
    for (String line : lines) {
      runs.add(new ObjectMapper().readTree(line));
    }
    return runs;
  }

  @Test
  void aMedianHasItsSpreadBesideIt() {
    assertEquals("2.0 (1.0-9.0)", Spread.of(List.of(9.0, 1.0, 2.0)).text("%.1f"));
    assertEquals(2.5, Spread.of(List.of(4.0, 1.0, 3.0, 2.0)).median());
    assertEquals("-", Spread.of(List.of()).text("%.1f"));
  }

  @Test
  void ratesAreComparedWithDefaultsOfTheSameRound() throws IOException {
    String text =
        Tables.markdown(
            runs(
                "{\"part\":\"skewed\",\"scheduler\":\"default\",\"round\":\"1\",\"sustainable\":100}",
                "{\"part\":\"skewed\",\"scheduler\":\"ballast\",\"round\":\"1\",\"sustainable\":150,"
                    + "\"held_80\":true,\"restarts\":5,\"restarts_warm\":3,\"errors\":[0.25]}",
                "{\"part\":\"skewed\",\"scheduler\":\"default\",\"round\":\"2\",\"sustainable\":200}",
                "{\"part\":\"skewed\",\"scheduler\":\"ballast\",\"round\":\"2\",\"sustainable\":250,"
                    + "\"restarts\":1,\"restarts_warm\":1,\"errors\":[]}"));
    assertTrue(text.contains("| ballast | 2 | 200 (150-250) | 1.38 (1.25-1.50) |"), text);
    assertTrue(text.contains("| 0 of 2, 1 of 2 |"), text);
    assertTrue(text.contains("| 2 (1-3) | 1 (0-2) |"), text);
    assertTrue(text.contains("1 plans that were measured in the warm-up: 0.250"), text);
  }

  @Test
  void theHookIsComparedPairByPairAndWithTheCgroup() throws IOException {
    String run =
        "{\"part\":\"hook\",\"hook\":\"%s\",\"round\":\"%d\",\"acked\":%d,\"rss_mib\":100,"
            + "\"cgroup\":{\"127.0.0.11\":0.25},"
            + "\"told\":{\"127.0.0.11\":{\"hook\":0.24,\"stats\":0.5}}}";
    String text =
        Tables.markdown(
            runs(
                run.formatted("on", 1, 99),
                run.formatted("off", 1, 100),
                run.formatted("off", 2, 200),
                run.formatted("on", 2, 190)));
    assertTrue(text.contains("| 0.970 (0.950-0.990) |"), text);
    assertTrue(
        text.contains(
            "| 127.0.0.11 | 0.250 (0.250-0.250) | 0.960 (0.960-0.960) |"
                + " 0.250 (0.250-0.250) | 2.000 (2.000-2.000) |"),
        text);
  }

  @Test
  void latenciesStandByWhetherNimbusLived() throws IOException {
    String run =
        "{\"part\":\"nimbus\",\"hook\":\"on\",\"nimbus\":\"%s\",\"round\":\"1\",\"acked\":150,"
            + "\"failed\":0,\"p50\":%d,\"p99\":%d,\"held\":%s}";
    String text =
        Tables.markdown(
            runs(
                run.formatted("alive", 6, 20, true),
                run.formatted("dead", 7, 30, true),
                run.formatted("dead", 9, 50, false)));
    assertTrue(text.contains("| on | alive | 1 | 150 (150-150) | 1 of 1 | 0 (0-0) | 6.0"), text);
    assertTrue(text.contains("| on | dead | 2 | 150 (150-150) | 1 of 2 |"), text);
    assertTrue(text.contains("| 8.0 (7.0-9.0) | 40 (30-50) |"), text);
    assertTrue(text.contains("| off | dead | 0 | - |"), text);
  }
}
