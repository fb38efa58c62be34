package io.ballast.storm;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.utils.Utils;

/** Writes the components of a topology: kind, state, requests, inputs. */
final class ComponentWriter {
  private final TopologyDetails details;
  private final boolean memory;
  private final Loads loads;
  private final StatefulComponents stateful;

  /**
   * @param memory memory requests are to be honored, see {@link TopologyFacts#setsResources}
   * @param loads what executors received over each stream
   * @param stateful which of them keep a state
   */
  ComponentWriter(
      TopologyDetails details, boolean memory, Loads loads, StatefulComponents stateful) {
    this.details = details;
    this.memory = memory;
    this.loads = loads;
    this.stateful = stateful;
  }

  /** Every component that has an executor, by id. */
  void write(JsonGenerator json, List<ExecutorDetails> executors) throws IOException {
    Map<String, List<ExecutorDetails>> byComponent = new TreeMap<>();
    for (ExecutorDetails executor : executors) {
      byComponent
          .computeIfAbsent(details.getComponentFromExecutor(executor), c -> new ArrayList<>())
          .add(executor);
    }
    json.writeArrayFieldStart("components");
    for (Map.Entry<String, List<ExecutorDetails>> component : byComponent.entrySet()) {
      json.writeStartObject();
      json.writeStringField("id", component.getKey());
      json.writeStringField("kind", kind(component.getKey()));
      if (stateful.ids().contains(component.getKey())) {
        json.writeBooleanField("stateful", true);
      }
      requests(json, component.getValue().get(0));
      inputs(json, component.getKey(), component.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Storm's own tests leave the topology out; then a component that is no system one is a bolt. */
  private String kind(String component) {
    if (Utils.isSystemId(component)) {
      return "system";
    }
    StormTopology topology = details.getTopology();
    boolean spout =
        topology != null
            && topology.is_set_spouts()
            && topology.get_spouts().containsKey(component);
    return spout ? "spout" : "bolt";
  }

  private void requests(JsonGenerator json, ExecutorDetails executor) throws IOException {
    Double cpu = details.getTotalCpuReqTask(executor);
    if (cpu != null && cpu > 0.0) {
      json.writeNumberField("cpu_request_pcore", cpu);
    }
    if (memory && details.hasExecInTopo(executor)) {
      json.writeNumberField(
          "onheap_request_mib", details.getOnHeapMemoryRequirement(executor).doubleValue());
      json.writeNumberField(
          "offheap_request_mib", details.getOffHeapMemoryRequirement(executor).doubleValue());
    }
  }

  private void inputs(JsonGenerator json, String component, List<ExecutorDetails> executors)
      throws IOException {
    StormTopology topology = details.getTopology();
    ComponentCommon common = topology == null ? null : common(topology, component);
    if (common == null || !common.is_set_inputs() || common.get_inputs().isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("inputs");
    List<GlobalStreamId> streams =
        common.get_inputs().keySet().stream()
            .sorted(
                Comparator.comparing(GlobalStreamId::get_componentId)
                    .thenComparing(GlobalStreamId::get_streamId))
            .toList();
    for (GlobalStreamId stream : streams) {
      json.writeStartObject();
      json.writeStringField("from", stream.get_componentId());
      json.writeStringField("stream", stream.get_streamId());
      json.writeStringField("grouping", name(common.get_inputs().get(stream)));
      RequestWriter.rate(
          json, "tuples_per_sec", loads.received(details.getId(), executors, stream));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static ComponentCommon common(StormTopology topology, String component) {
    if (topology.is_set_bolts() && topology.get_bolts().containsKey(component)) {
      return topology.get_bolts().get(component).get_common();
    }
    return null;
  }

  /** Storm writes a global grouping as one by no fields. */
  private static String name(Grouping grouping) {
    if (grouping.is_set_fields() && grouping.get_fields().isEmpty()) {
      return "global";
    }
    return grouping.getSetField().name().toLowerCase(Locale.ROOT);
  }
}
