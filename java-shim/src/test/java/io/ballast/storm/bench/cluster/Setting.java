package io.ballast.storm.bench.cluster;

import java.nio.file.Path;

/** What {@code scripts/bench-cluster} tells a program, as system properties. */
final class Setting {
  private Setting() {}

  static String text(String name) {
    String value = System.getProperty("bench." + name);
    if (value == null) {
      throw new IllegalArgumentException("-Dbench." + name + " is missing");
    }
    return value;
  }

  static double number(String name) {
    return Double.parseDouble(text(name));
  }

  static Path path(String name) {
    return Path.of(text(name));
  }

  static Nodes nodes() {
    return new Nodes(path("accounting"), (int) number("supervisors"), number("cores"));
  }
}
