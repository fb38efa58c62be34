package io.ballast.storm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.state.InMemoryKeyValueStateProvider;
import org.apache.storm.topology.StatefulBoltExecutor;

/**
 * Which components of a topology keep a state that Storm checkpoints, and whether it outlives its
 * worker.
 *
 * <p>{@code TopologyBuilder} wraps every {@code IStatefulBolt} and {@code IStatefulWindowedBolt},
 * persistent windows included, in a {@link StatefulBoltExecutor} and every other bolt of such a
 * topology in a {@code CheckpointTupleForwarder}; the wrapper is the object that is serialized, so
 * {@link SerializedClass} tells them apart. The checkpoint streams do not: stateless bolts read and
 * forward them too. Flux and the Streams API ({@code updateStateByKey}) build with {@code
 * TopologyBuilder} and are found.
 *
 * <p>Not found, because nothing that Nimbus can read tells of them: Trident states (their {@code
 * StateFactory} lies inside the serialized bolt, and may as well be a database elsewhere), windows
 * of stateless bolts, and whatever a bolt keeps in its own fields.
 *
 * @param ids components with a state
 * @param survive false: the state of some of them is kept in the worker's memory alone
 */
record StatefulComponents(Set<String> ids, boolean survive) {
  private static final String EXECUTOR = StatefulBoltExecutor.class.getName();

  /** Storm's default, and the only provider known to keep nothing outside the worker. */
  private static final String IN_MEMORY = InMemoryKeyValueStateProvider.class.getName();

  private static final StatefulComponents NONE = new StatefulComponents(Set.of(), true);

  static StatefulComponents of(TopologyDetails details) {
    StormTopology topology = details.getTopology();
    if (topology == null || !topology.is_set_bolts()) {
      return NONE;
    }
    Set<String> ids = new TreeSet<>();
    boolean survive = true;
    for (Map.Entry<String, Bolt> bolt : topology.get_bolts().entrySet()) {
      if (isStateful(bolt.getValue().get_bolt_object())) {
        ids.add(bolt.getKey());
        survive &= !IN_MEMORY.equals(provider(bolt.getValue(), details.getConf()));
      }
    }
    return ids.isEmpty() ? NONE : new StatefulComponents(ids, survive);
  }

  /** Not {@code get_serialized_java()}: that copies all of the bolt, and changes the object. */
  private static boolean isStateful(ComponentObject object) {
    return object != null
        && object.getFieldValue() instanceof ByteBuffer stream
        && SerializedClass.name(stream).filter(EXECUTOR::equals).isPresent();
  }

  /** As {@code StateFactory} chooses it: a component may override its topology's. */
  private static Object provider(Bolt bolt, Map<String, Object> topologyConf) {
    Object own = own(bolt.get_common().get_json_conf());
    Object chosen = own != null ? own : topologyConf.get(Config.TOPOLOGY_STATE_PROVIDER);
    return chosen != null ? chosen : IN_MEMORY;
  }

  private static Object own(String json) {
    if (json == null || !json.contains('"' + Config.TOPOLOGY_STATE_PROVIDER + '"')) {
      return null;
    }
    try {
      JsonNode provider = Wire.MAPPER.readTree(json).path(Config.TOPOLOGY_STATE_PROVIDER);
      return provider.isTextual() ? provider.asText() : null;
    } catch (JsonProcessingException notJson) {
      // Storm cannot read it either, and keeps to the topology's.
      return null;
    }
  }
}
