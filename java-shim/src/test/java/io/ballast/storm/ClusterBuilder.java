package io.ballast.storm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignmentImpl;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.apache.storm.scheduler.resource.TestUtilsForResourceAwareScheduler.INimbusTest;
import org.apache.storm.scheduler.resource.normalization.ResourceMetrics;
import org.apache.storm.utils.Utils;

/**
 * A cluster of real Storm classes, told in the notation of the field cases: {@code
 * cluster().node("n1", "h1", 6700).topology("t1", 3).executor(1, "hotA", 90).at("n1", 6700)}. Calls
 * without a subject go to the node, topology or executor named last. Building makes new Storm
 * objects every time, as Nimbus does every round.
 */
final class ClusterBuilder {
  /** One supervisor. */
  private static final class Node {
    String host;
    List<Integer> ports;
    Map<String, Double> resources = new HashMap<>();
    Map<String, String> meta;
  }

  /** One executor. */
  private static final class Executor {
    ExecutorDetails details;
    String component;
    double loadPoints = Double.NaN;
    double uptimeSecs = 3600;
    String source = "stats";
    Loads.Rates rates = Loads.Rates.NONE;
    WorkerSlot slot;
  }

  /** One topology. */
  private static final class Topology {
    int workers;
    final Map<String, Object> conf = new HashMap<>();
    final Map<String, Map<GlobalStreamId, Grouping>> inputs = new TreeMap<>();
    final Map<String, String> componentConf = new HashMap<>();
    final List<String> spouts = new ArrayList<>();
    StormTopology built;
    final List<Executor> executors = new ArrayList<>();
  }

  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, Topology> topologies = new LinkedHashMap<>();
  private final Map<String, Object> conf = Utils.readDefaultConfig();
  private Set<String> blacklist = Set.of();
  private Node node;
  private Topology topology;
  private Executor executor;

  private ClusterBuilder() {}

  static ClusterBuilder cluster() {
    return new ClusterBuilder();
  }

  /** A supervisor of four cores. */
  ClusterBuilder node(String id, String host, Integer... ports) {
    node = new Node();
    node.host = host;
    node.ports = Arrays.asList(ports);
    nodes.put(id, node);
    return capacity(400);
  }

  /** The calls that follow go to this node. */
  ClusterBuilder of(String id) {
    node = nodes.get(id);
    return this;
  }

  /** Percent of one core that the node offers; what Storm is told, so 0 and -1 are possible. */
  ClusterBuilder capacity(double points) {
    node.resources.put(Config.SUPERVISOR_CPU_CAPACITY, points);
    return this;
  }

  ClusterBuilder memory(double mib) {
    node.resources.put(Config.SUPERVISOR_MEMORY_CAPACITY_MB, mib);
    return this;
  }

  /** A supervisor that says nothing of its resources. */
  ClusterBuilder noResources() {
    node.resources.clear();
    return this;
  }

  /** An entry of the supervisor's {@code supervisor.scheduler.meta}. */
  ClusterBuilder meta(String key, String value) {
    node.meta = node.meta == null ? new HashMap<>() : node.meta;
    node.meta.put(key, value);
    return this;
  }

  ClusterBuilder ports(String id, Integer... ports) {
    nodes.get(id).ports = Arrays.asList(ports);
    return this;
  }

  ClusterBuilder lose(String id) {
    nodes.remove(id);
    return this;
  }

  ClusterBuilder blacklist(String... hosts) {
    blacklist = Set.of(hosts);
    return this;
  }

  /** A topology; its id is its name. Told again, the calls that follow go to it. */
  ClusterBuilder topology(String name, int workers) {
    topology = topologies.computeIfAbsent(name, n -> new Topology());
    topology.workers = workers;
    return this;
  }

  ClusterBuilder kill(String name) {
    topologies.remove(name);
    return this;
  }

  ClusterBuilder conf(String key, Object value) {
    topology.conf.put(key, value);
    return this;
  }

  ClusterBuilder clusterConf(String key, Object value) {
    conf.put(key, value);
    return this;
  }

  ClusterBuilder spout(String component) {
    topology.spouts.add(component);
    return this;
  }

  ClusterBuilder input(String component, String from, String stream, Grouping grouping) {
    topology
        .inputs
        .computeIfAbsent(component, c -> new HashMap<>())
        .put(new GlobalStreamId(from, stream), grouping);
    return this;
  }

  /** What a {@code TopologyBuilder} made stands for the components; executors are told as ever. */
  ClusterBuilder built(StormTopology storm) {
    topology.built = storm;
    return this;
  }

  ClusterBuilder componentConf(String component, String json) {
    topology.componentConf.put(component, json);
    return this;
  }

  /** One executor of one task; load in percent of one core, NaN: not measured. */
  ClusterBuilder executor(int task, String component, double loadPoints) {
    return executor(task, task, component, loadPoints);
  }

  ClusterBuilder executor(int first, int last, String component, double loadPoints) {
    executor = new Executor();
    executor.details = new ExecutorDetails(first, last);
    executor.component = component;
    executor.loadPoints = loadPoints;
    topology.executors.add(executor);
    return this;
  }

  ClusterBuilder at(String nodeId, int port) {
    executor.slot = new WorkerSlot(nodeId, port);
    return this;
  }

  ClusterBuilder uptime(double secs) {
    executor.uptimeSecs = secs;
    return this;
  }

  /**
   * Tuples a second that the last executor received over streams of one component and emitted.
   *
   * @param received stream to rate; null for a spout
   */
  ClusterBuilder rates(String from, Map<String, Double> received, double emitted) {
    Map<GlobalStreamId, Double> byStream = received == null ? null : new HashMap<>();
    if (received != null) {
      received.forEach((stream, rate) -> byStream.put(new GlobalStreamId(from, stream), rate));
    }
    executor.rates = new Loads.Rates(byStream, emitted);
    return this;
  }

  /** Puts some tasks of the last topology on a slot. */
  ClusterBuilder worker(String nodeId, int port, Integer... tasks) {
    for (Executor e : topology.executors) {
      if (Arrays.asList(tasks).contains(e.details.getStartTask())) {
        e.slot = new WorkerSlot(nodeId, port);
      }
    }
    return this;
  }

  /** Seconds since the worker of these tasks of the last topology started them. */
  ClusterBuilder uptime(double secs, Integer... tasks) {
    topology.executors.stream()
        .filter(e -> Arrays.asList(tasks).contains(e.details.getStartTask()))
        .forEach(e -> e.uptimeSecs = secs);
    return this;
  }

  /** Where the loads of these tasks of the last topology come from, in the words of the wire. */
  ClusterBuilder source(String source, Integer... tasks) {
    topology.executors.stream()
        .filter(e -> Arrays.asList(tasks).contains(e.details.getStartTask()))
        .forEach(e -> e.source = source);
    return this;
  }

  /** The executors of these tasks lose their slot. */
  ClusterBuilder homeless(Integer... tasks) {
    for (Executor e : topology.executors) {
      if (Arrays.asList(tasks).contains(e.details.getStartTask())) {
        e.slot = null;
      }
    }
    return this;
  }

  /** Takes over what a round has decided. */
  ClusterBuilder placedAs(Cluster decided) {
    topologies.forEach(
        (id, t) -> {
          var assignment = decided.getAssignmentById(id);
          for (Executor e : t.executors) {
            e.slot = assignment == null ? null : assignment.getExecutorToSlot().get(e.details);
          }
        });
    return this;
  }

  /** The measured loads, in cores. */
  Loads loads() {
    Map<String, Map<ExecutorDetails, Loads.Load>> table = new HashMap<>();
    topologies.forEach(
        (id, t) -> {
          Map<ExecutorDetails, Loads.Load> loads = new HashMap<>();
          t.executors.forEach(
              e ->
                  loads.put(
                      e.details,
                      new Loads.Load(
                          e.loadPoints / 100, e.uptimeSecs, null, 0, e.rates, e.source, null)));
          table.put(id, loads);
        });
    return new Loads(600, table);
  }

  Map<String, Object> stormConf() {
    return new HashMap<>(conf);
  }

  /** The cluster as Nimbus would hand it over. */
  Cluster build() {
    Map<String, SupervisorDetails> supervisors = new HashMap<>();
    nodes.forEach(
        (id, n) ->
            supervisors.put(
                id,
                new SupervisorDetails(id, n.host, n.meta, n.ports, new HashMap<>(n.resources))));
    Map<String, TopologyDetails> details = new HashMap<>();
    Map<String, SchedulerAssignmentImpl> assignments = new HashMap<>();
    topologies.forEach(
        (id, t) -> {
          details.put(id, details(id, t));
          SchedulerAssignmentImpl assignment = assignment(id, t);
          if (!assignment.getExecutors().isEmpty()) {
            assignments.put(id, assignment);
          }
        });
    Cluster cluster =
        new Cluster(
            new INimbusTest(),
            new ResourceMetrics(new StormMetricsRegistry()),
            supervisors,
            assignments,
            new Topologies(details),
            stormConf());
    cluster.setBlacklistedHosts(blacklist);
    return cluster;
  }

  private static SchedulerAssignmentImpl assignment(String id, Topology t) {
    Map<ExecutorDetails, WorkerSlot> slots = new HashMap<>();
    t.executors.stream().filter(e -> e.slot != null).forEach(e -> slots.put(e.details, e.slot));
    return new SchedulerAssignmentImpl(id, slots, null, null);
  }

  private TopologyDetails details(String id, Topology t) {
    Map<String, Object> own = new HashMap<>(conf);
    own.put(Config.TOPOLOGY_NAME, id);
    own.put(Config.TOPOLOGY_WORKERS, t.workers);
    own.putAll(t.conf);
    Map<ExecutorDetails, String> components = new HashMap<>();
    t.executors.forEach(e -> components.put(e.details, e.component));
    return new TopologyDetails(id, own, storm(t), t.workers, components, "operator");
  }

  private static StormTopology storm(Topology t) {
    if (t.built != null) {
      return t.built;
    }
    Map<String, SpoutSpec> spouts = new HashMap<>();
    Map<String, Bolt> bolts = new HashMap<>();
    for (Executor e : t.executors) {
      String component = e.component;
      ComponentCommon common = new ComponentCommon();
      common.set_inputs(t.inputs.getOrDefault(component, Map.of()));
      common.set_streams(Map.of());
      common.set_json_conf(t.componentConf.get(component));
      ComponentObject object = ComponentObject.serialized_java(new byte[0]);
      if (t.spouts.contains(component)) {
        spouts.put(component, new SpoutSpec(object, common));
      } else if (!Utils.isSystemId(component)) {
        bolts.put(component, new Bolt(object, common));
      }
    }
    return new StormTopology(spouts, bolts, new HashMap<>());
  }

  static Grouping shuffle() {
    return Grouping.shuffle(new NullStruct());
  }
}
