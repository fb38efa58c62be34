package io.ballast.storm.bench.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One window at an offered rate while Nimbus lives, or while it does not. One line of JSON comes
 * out.
 */
final class NimbusRun {
  private NimbusRun() {}

  /** Takes {@code -Dbench.*}. */
  public static void main(String[] none) throws Exception {
    Watch watch = new Watch(Setting.path("folder"), Setting.nodes());
    double rate = Setting.number("rate");
    watch.order(rate);
    watch.awaitFlow();
    watch.pause(Setting.number("warm-secs"));
    Watch.Window window = watch.window(Setting.number("window-secs"));
    Map<String, Object> result = new LinkedHashMap<>();
    for (String name : List.of("part", "hook", "nimbus", "round")) {
      result.put(name, Setting.text(name));
    }
    result.put("acked", window.flow().ackedPerSec());
    result.put("failed", window.flow().failed());
    result.put("p50", window.flow().p50Ms());
    result.put("p99", window.flow().p99Ms());
    result.put("held", Ramp.held(rate, window.flow()));
    watch.say(
        "hook %s, Nimbus %s: %.0f flights/s offered, %.0f acked, p50 %.1f ms, p99 %.0f ms",
        Setting.text("hook"),
        Setting.text("nimbus"),
        rate,
        window.flow().ackedPerSec(),
        window.flow().p50Ms(),
        window.flow().p99Ms());
    System.out.println(new ObjectMapper().writeValueAsString(result));
  }
}
