package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.storm.Config;
import org.apache.storm.scheduler.TopologyDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a topology's configuration says to Ballast. */
class TopologyFactsTest {
  private static boolean setsResources(UnaryOperator<ClusterBuilder> change) {
    ClusterBuilder state = change.apply(States.running());
    TopologyDetails topology = state.build().getTopologies().getById("t1");
    return TopologyFacts.setsResources(topology, state.stormConf());
  }

  @Test
  void stormsDefaultRequestsAreNobodysRequests() {
    assertFalse(setsResources(state -> state));
  }

  @Test
  void aRequestOfAComponentCounts() {
    assertTrue(
        setsResources(
            s -> s.componentConf("a", "{\"topology.component.resources.onheap.memory.mb\":64}")));
    assertTrue(
        setsResources(s -> s.componentConf("b", "{\"topology.component.cpu.pcore.percent\":50}")));
    assertFalse(setsResources(s -> s.componentConf("b", "{\"topology.debug\":true}")));
  }

  @Test
  void aTopologysOwnDefaultCountsIfItDiffersFromTheClusters() {
    assertTrue(setsResources(s -> s.conf(Config.TOPOLOGY_COMPONENT_CPU_PCORE_PERCENT, 25)));
    assertFalse(setsResources(s -> s.conf(Config.TOPOLOGY_COMPONENT_CPU_PCORE_PERCENT, 10)));
  }

  @ParameterizedTest
  @CsvSource({"true,true,false", "TRUE,true,false", "false,false,false", "no,false,true"})
  void onlyTrueOrNothingIsEnabled(String value, boolean enabled, boolean complaint) {
    TopologyDetails topology =
        States.running().conf(TopologyFacts.ENABLED, value).build().getTopologies().getById("t1");
    assertEquals(enabled, TopologyFacts.enabled(topology));
    assertEquals(complaint, TopologyFacts.complaint(topology).isPresent());
  }

  @Test
  void keysThatAreNotUnderstoodGiveTheDefaults() {
    BallastConf conf =
        BallastConf.of(
            Map.of(
                "ballast.native.timeout.ms", "soon",
                "ballast.native.retry.secs", -5,
                "ballast.period.secs", "2.5",
                "storm.scheduler", "x"));
    assertEquals(5000, conf.number(BallastConf.Setting.NATIVE_TIMEOUT_MS));
    assertEquals(300, conf.number(BallastConf.Setting.NATIVE_RETRY_SECS));
    assertEquals(2.5, conf.number(BallastConf.Setting.PERIOD_SECS));
    assertEquals(3, conf.settings().size());
    assertFalse(conf.applies());
  }
}
