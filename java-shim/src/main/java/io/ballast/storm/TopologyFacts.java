package io.ballast.storm;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.scheduler.TopologyDetails;

/** What a topology's own configuration says about how Ballast is to treat it. */
final class TopologyFacts {
  /** Opts a topology out: {@code false} in the topology's configuration. */
  static final String ENABLED = "topology.ballast.enabled";

  private static final String[] RESOURCE_KEYS = {
    Config.TOPOLOGY_COMPONENT_RESOURCES_ONHEAP_MEMORY_MB,
    Config.TOPOLOGY_COMPONENT_RESOURCES_OFFHEAP_MEMORY_MB,
    Config.TOPOLOGY_COMPONENT_CPU_PCORE_PERCENT,
  };

  private TopologyFacts() {}

  /** Not opted out. A value that is neither true nor false opts out: nobody's worker is at risk. */
  static boolean enabled(TopologyDetails topology) {
    Object value = topology.getConf().get(ENABLED);
    return value == null || value.toString().trim().equalsIgnoreCase("true");
  }

  /** What is wrong with a topology's opt-out, in words for a log line. */
  static Optional<String> complaint(TopologyDetails topology) {
    Object value = topology.getConf().get(ENABLED);
    if (enabled(topology) || value.toString().trim().equalsIgnoreCase("false")) {
      return Optional.empty();
    }
    return Optional.of(
        ENABLED
            + " of "
            + topology.getId()
            + " is "
            + value
            + ", neither true nor false: the topology is left to the delegate; set it to one of them");
  }

  /**
   * Whether memory requests are to be honored. Storm gives every executor one by default (128 MiB)
   * and every supervisor a capacity by default (4096 MiB), whatever they really need and have; on a
   * cluster where nobody uses these figures they would only forbid placements that Storm itself
   * makes every day. So they count where somebody set them: a component carries a request of its
   * own, or the topology's configuration differs from the cluster's. (A delegate that is a
   * ResourceAwareScheduler makes them count for all, see {@link RequestWriter}.)
   */
  static boolean setsResources(TopologyDetails topology, Map<String, Object> cluster) {
    for (String key : RESOURCE_KEYS) {
      if (differs(topology.getConf().get(key), cluster.get(key))) {
        return true;
      }
    }
    StormTopology storm = topology.getTopology();
    return storm != null && componentConfs(storm).anyMatch(TopologyFacts::requestsResources);
  }

  private static boolean differs(Object own, Object shared) {
    if (own instanceof Number a && shared instanceof Number b) {
      return a.doubleValue() != b.doubleValue();
    }
    return own != null && !Objects.equals(own, shared);
  }

  private static Stream<String> componentConfs(StormTopology storm) {
    Stream<String> bolts =
        storm.is_set_bolts()
            ? storm.get_bolts().values().stream().map(Bolt::get_common).map(c -> c.get_json_conf())
            : Stream.empty();
    Stream<String> spouts =
        storm.is_set_spouts()
            ? storm.get_spouts().values().stream()
                .map(SpoutSpec::get_common)
                .map(c -> c.get_json_conf())
            : Stream.empty();
    return Stream.concat(bolts, spouts).filter(Objects::nonNull);
  }

  /** By key names in the JSON text: parsing thousands of them each round would buy nothing. */
  private static boolean requestsResources(String json) {
    return json.contains("\"topology.component.resources.")
        || json.contains('"' + Config.TOPOLOGY_COMPONENT_CPU_PCORE_PERCENT + '"');
  }
}
