package io.ballast.storm;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.apache.storm.utils.ObjectReader;

/**
 * Writes a snapshot and the loads as a request. Nodes, topologies, components and executors are
 * sorted by id and task, so the same cluster gives the same bytes whatever Storm's maps do.
 */
final class RequestWriter {
  private final Map<String, Object> stormConf;
  private final boolean resourceAware;
  private final CheckpointRoom room = new CheckpointRoom();

  /**
   * @param stormConf Nimbus's configuration, for the cluster's defaults
   * @param resourceAware the delegate honors resources, so Ballast does so for every topology
   */
  RequestWriter(Map<String, Object> stormConf, boolean resourceAware) {
    this.stormConf = stormConf;
    this.resourceAware = resourceAware;
  }

  /** What of a request is not in the snapshot. */
  record Question(
      String ask,
      int coveredRounds,
      int lowRounds,
      PresentCopies copies,
      Map<String, Object> settings) {}

  byte[] write(ClusterSnapshot snapshot, Loads loads, Question question) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
    try (JsonGenerator json = Wire.MAPPER.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("ballast", "snapshot");
      json.writeNumberField("version", Wire.VERSION);
      json.writeStringField("ask", question.ask());
      json.writeNumberField("generation", snapshot.generation());
      json.writeStringField(
          "taken_at", snapshot.takenAt().truncatedTo(ChronoUnit.MILLIS).toString());
      json.writeNumberField("window_secs", loads.windowSecs());
      json.writeNumberField("covered_rounds", question.coveredRounds());
      json.writeNumberField("low_rounds", question.lowRounds());
      json.writePOJOField("settings", question.settings());
      json.writeArrayFieldStart("nodes");
      Map<String, String> hosts = new TreeMap<>();
      for (ClusterSnapshot.Node node : snapshot.nodes()) {
        hosts.put(node.details().getId(), node.details().getHost());
        node(json, node);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("topologies");
      for (ClusterSnapshot.Topology topology : snapshot.topologies()) {
        topology(json, topology, hosts, loads, question);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private void node(JsonGenerator json, ClusterSnapshot.Node node) throws IOException {
    SupervisorDetails details = node.details();
    json.writeStartObject();
    json.writeStringField("id", details.getId());
    json.writeStringField("host", details.getHost());
    if (node.rack() != null) {
      json.writeStringField("rack", node.rack());
    }
    positive(json, "cpu_cores", details.getTotalCpu() / 100.0);
    positive(json, "memory_mib", details.getTotalMemory());
    room.write(json, details);
    ports(json, "ports", details.getAllPorts());
    if (!node.avoidPorts().isEmpty()) {
      ports(json, "avoid_ports", node.avoidPorts());
    }
    if (node.unusable()) {
      json.writeStringField("state", "unusable");
    } else if (node.scaledIn()) {
      json.writeStringField("state", "draining");
      json.writeBooleanField("scaled_in", true);
    } else {
      json.writeStringField("state", "active");
    }
    json.writeNumberField("seen_rounds", node.seenRounds());
    json.writeEndObject();
  }

  private static void ports(JsonGenerator json, String field, Iterable<Integer> ports)
      throws IOException {
    TreeSet<Integer> sorted = new TreeSet<>();
    ports.forEach(sorted::add);
    json.writeArrayFieldStart(field);
    for (int port : sorted) {
      json.writeNumber(port);
    }
    json.writeEndArray();
  }

  /** Storm says 0 for a capacity nobody configured, others say -1: unknown, so not written. */
  private static void positive(JsonGenerator json, String field, double value) throws IOException {
    if (value > 0.0 && Double.isFinite(value)) {
      json.writeNumberField(field, value);
    }
  }

  private void topology(
      JsonGenerator json,
      ClusterSnapshot.Topology topology,
      Map<String, String> hosts,
      Loads loads,
      Question question)
      throws IOException {
    TopologyDetails details = topology.details();
    boolean memory = resourceAware || TopologyFacts.setsResources(details, stormConf);
    json.writeStartObject();
    json.writeStringField("id", details.getId());
    json.writeStringField("name", details.getName() == null ? details.getId() : details.getName());
    json.writeNumberField("workers", details.getNumWorkers());
    // Not getTopologyPriority(): it fails where the configuration has none.
    Integer priority = ObjectReader.getInt(details.getConf().get(Config.TOPOLOGY_PRIORITY), null);
    if (priority != null) {
      json.writeNumberField("priority", priority);
    }
    json.writeBooleanField("enabled", topology.enabled());
    // Where the heap rules how many workers there are, topology.workers does not. Any other
    // delegate
    // goes by topology.workers, and would deal anew a topology that was packed into fewer.
    if (resourceAware && details.getTopologyWorkerMaxHeapSize() != null) {
      positive(json, "worker_heap_max_mib", details.getTopologyWorkerMaxHeapSize());
    }
    if (!Double.isNaN(topology.secsSinceChange())) {
      json.writeNumberField("last_change_secs", topology.secsSinceChange());
    }
    StatefulComponents stateful = StatefulComponents.of(details);
    if (!stateful.survive()) {
      json.writeBooleanField("state_survives", false);
    }
    List<ExecutorDetails> executors = new ArrayList<>(details.getExecutors());
    executors.sort(
        Comparator.comparingInt(ExecutorDetails::getStartTask)
            .thenComparingInt(ExecutorDetails::getEndTask));
    new ComponentWriter(details, memory, loads, stateful).write(json, executors);
    json.writeArrayFieldStart("executors");
    for (ExecutorDetails executor : executors) {
      executor(json, topology, executor, hosts, loads.of(details.getId(), executor));
    }
    json.writeEndArray();
    workers(json, loads.hook().workers(details.getId(), topology.placement()));
    if (question.ask().equals("plan")) {
      // Nothing else looks at it, and a placement is asked for under Nimbus's lock.
      traffic(json, loads.hook().traffic(details, executors));
    }
    question.copies().write(json, details);
    json.writeEndObject();
  }

  private static void executor(
      JsonGenerator json,
      ClusterSnapshot.Topology topology,
      ExecutorDetails executor,
      Map<String, String> hosts,
      Loads.Load load)
      throws IOException {
    json.writeStartObject();
    tasks(json, "tasks", executor);
    json.writeStringField("component", topology.details().getComponentFromExecutor(executor));
    WorkerSlot slot = topology.placement().get(executor);
    if (slot != null) {
      json.writeStringField("node", slot.getNodeId());
      json.writeNumberField("port", slot.getPort());
    }
    WorkerSlot last = topology.lastHomes().get(executor);
    if (last != null) {
      json.writeStringField("last_node", last.getNodeId());
      json.writeNumberField("last_port", last.getPort());
    }
    if (load != null) {
      load(json, slot, hosts, load);
    }
    json.writeEndObject();
  }

  private static void workers(JsonGenerator json, List<HookLoads.WorkerCpu> workers)
      throws IOException {
    if (workers.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("worker_cpu");
    for (HookLoads.WorkerCpu worker : workers) {
      json.writeStartObject();
      json.writeStringField("node", worker.slot().getNodeId());
      json.writeNumberField("port", worker.slot().getPort());
      json.writeNumberField("cpu_cores", worker.cores());
      rate(json, "overhead_cores", worker.overheadCores());
      json.writeNumberField("uptime_secs", worker.uptimeSecs());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void traffic(JsonGenerator json, List<HookLoads.Pair> pairs) throws IOException {
    if (pairs.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("traffic");
    for (HookLoads.Pair pair : pairs) {
      json.writeStartObject();
      tasks(json, "from", pair.from());
      tasks(json, "to", pair.to());
      json.writeNumberField("tuples_per_sec", pair.tuplesPerSec());
      rate(json, "bytes_per_sec", pair.bytesPerSec());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void tasks(JsonGenerator json, String field, ExecutorDetails executor)
      throws IOException {
    json.writeArrayFieldStart(field);
    json.writeNumber(executor.getStartTask());
    json.writeNumber(executor.getEndTask());
    json.writeEndArray();
  }

  /** What was not measured is not written. */
  static void rate(JsonGenerator json, String field, double perSec) throws IOException {
    if (!Double.isNaN(perSec)) {
      json.writeNumberField(field, perSec);
    }
  }

  /**
   * A load measured in another worker than the executor's present one is kept, but with an uptime
   * of 0: it has just been moved. The engine treats the figure as young, unless it is what the
   * executor uses wherever it is.
   */
  private static void load(
      JsonGenerator json, WorkerSlot slot, Map<String, String> hosts, Loads.Load told)
      throws IOException {
    boolean moved =
        told.host() != null
            && slot != null
            && (told.port() != slot.getPort()
                || !told.host().equals(hosts.getOrDefault(slot.getNodeId(), told.host())));
    Loads.Load load = moved ? told.asUsual() : told;
    double uptime = moved ? 0.0 : load.uptimeSecs();
    if (!Double.isNaN(uptime)) {
      json.writeNumberField("uptime_secs", uptime);
    }
    if (!Double.isNaN(load.cores())) {
      json.writeNumberField("cpu_cores", load.cores());
      json.writeStringField("load_source", load.source());
      if (load.usual() != null) {
        json.writeNumberField("swing_cores", load.usual().swingCores());
      }
    }
    rate(json, "received_per_sec", load.rates().receivedPerSec());
    rate(json, "emitted_per_sec", load.rates().emitted());
  }
}
