package io.ballast.storm.bench.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One run in a closed loop at saturation: flights acked, memory of workers, and each node's CPU by
 * its cgroup beside what Ballast was told. One line of JSON comes out.
 */
final class HookRun {
  private HookRun() {}

  /** Takes {@code -Dbench.*}. */
  public static void main(String[] none) throws Exception {
    Nodes nodes = Setting.nodes();
    Watch watch = new Watch(Setting.path("folder"), nodes);
    watch.order(Double.POSITIVE_INFINITY);
    watch.awaitFlow();
    watch.pause(Setting.number("warm-secs"));
    Watch.Window window = watch.window(Setting.number("window-secs"));
    Map<String, Rounds.Load> told = new Rounds(Setting.path("rounds")).newest();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("part", "hook");
    result.put("hook", Setting.text("hook"));
    result.put("round", Setting.text("round"));
    result.put("acked", window.flow().ackedPerSec());
    result.put("failed", window.flow().failed());
    result.put("rss_mib", nodes.workersMib().stream().mapToDouble(m -> m).average().orElseThrow());
    result.put("nodes", window.cores());
    result.put("cgroup", window.workers());
    result.put("told", told);
    watch.say(
        "hook %s: %.0f flights/s acked, p99 %.0f ms; workers' cores by cgroup %s, told %s",
        Setting.text("hook"),
        window.flow().ackedPerSec(),
        window.flow().p99Ms(),
        window.workers(),
        told);
    System.out.println(new ObjectMapper().writeValueAsString(result));
  }
}
