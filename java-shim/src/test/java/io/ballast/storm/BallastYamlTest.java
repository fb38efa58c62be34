package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/**
 * {@code storm-conf/ballast.yaml} against the keys the shim reads itself. The engine's own table is
 * held against the same file by a Rust test, so both halves have one set of defaults.
 */
class BallastYamlTest {
  /** The file as an operator would have it who took every comment sign off. */
  private static Map<String, Object> yaml() throws IOException {
    Path file = Path.of(System.getProperty("ballast.test.root"), "storm-conf", "ballast.yaml");
    String keys =
        Files.readAllLines(file).stream()
            .filter(line -> line.startsWith("#" + BallastConf.PREFIX))
            .map(line -> line.substring(1))
            .collect(Collectors.joining("\n"));
    return new Yaml().load(keys);
  }

  @Test
  void theShimsDefaultsAreTheFiles() throws IOException {
    Map<String, Object> yaml = yaml();
    assertTrue(yaml.size() >= BallastConf.Setting.values().length, yaml::toString);
    for (BallastConf.Setting setting : BallastConf.Setting.values()) {
      String key = BallastConf.PREFIX + setting.key;
      assertTrue(yaml.containsKey(key), key + " is not in the file");
      Object value = yaml.get(key);
      // A key that is not set is an empty text to the shim; numbers are compared as numbers.
      Object expected =
          value == null ? "" : value instanceof Number n ? (Object) n.doubleValue() : value;
      assertEquals(expected, setting.fallback, key);
    }
  }
}
