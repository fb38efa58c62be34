package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.Timer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.metric.StormMetricsRegistry;
import org.junit.jupiter.api.Test;

/** The figures that Nimbus's metric reporters publish. */
class BallastMetricsTest {
  @Test
  void anAppliedPlanIsCounted() {
    ClusterBuilder state = States.running().node("n3", "h3", 6700);
    StormMetricsRegistry registry = new StormMetricsRegistry();
    try (Rig rig =
        Rig.withEngine(ScriptedEngine.assigning("n1:6700 1 3, n3:6700 2 4"))
            .applies()
            .set("place", "delegate")) {
      rig.prepare(state, registry);
      rig.round(state);
      rig.plan();
      rig.round(state);
      assertEquals(1, registry.getMeter("ballast:plans").getCount());
      assertEquals(1, registry.getMeter("ballast:plans-applied").getCount());
      assertEquals(1, registry.getMeter("ballast:restarts").getCount());
      assertEquals(0, registry.getMeter("ballast:plans-refused").getCount());
      assertEquals(0, registry.getMeter("ballast:fallback-rounds").getCount());
      Map<String, Metric> all = rig.scheduler.parts().metrics().getMetrics();
      assertEquals(2, ((Timer) all.get("ballast:round-time")).getCount());
      assertEquals(0.4, ((Gauge<?>) all.get("ballast:load-distance")).getValue());
      assertEquals(1, ((Gauge<?>) all.get("ballast:native-ready")).getValue());
      assertEquals(0, new TreeMap<>(all).headMap("ballast:").size());
    }
    assertEquals(null, registry.getMeter("ballast:plans"), "cleanup leaves nothing registered");
  }

  @Test
  void aRoundWithoutEngineIsCountedAsFallback() {
    StormMetricsRegistry registry = new StormMetricsRegistry();
    try (Rig rig = Rig.withEngine().set("native.path", "/nowhere/libballast.so")) {
      rig.prepare(States.running(), registry);
      rig.round(States.running());
      assertEquals(1, registry.getMeter("ballast:fallback-rounds").getCount());
    }
  }
}
