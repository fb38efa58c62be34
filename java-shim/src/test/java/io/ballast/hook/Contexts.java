package io.ballast.hook;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;

/** Storm's own contexts of one made-up worker, without the worker. */
final class Contexts implements AutoCloseable {
  final Map<String, Object> conf = Utils.readDefaultConfig();
  private final ExecutorService shared = Executors.newSingleThreadExecutor();
  private final Map<Integer, String> components = new TreeMap<>();
  private final StormTopology topology;
  private final StormMetricRegistry metrics = new StormMetricRegistry();
  private final int port;

  /**
   * A worker with all tasks of a spout, task 1, and of as many bolts.
   *
   * @param process the worker has a process of its own, as it were
   */
  Contexts(int port, int bolts, boolean process) {
    this.port = port;
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("words", new TestWordSpout(true), 1);
    builder.setBolt("count", new TestWordCounter(), bolts).shuffleGrouping("words");
    topology = builder.createTopology();
    components.put(-1, "__system");
    components.put(1, "words");
    for (int task = 2; task < bolts + 2; task++) {
      components.put(task, "count");
    }
    conf.put("storm.cluster.mode", process ? "distributed" : "local");
    conf.put("storm.local.hostname", "localhost");
    // Nobody is there: the reporter finds no grant.
    conf.put("storm.zookeeper.servers", List.of());
  }

  /** The context of a task that is its executor's only one. */
  TopologyContext of(int task) {
    Map<String, Object> resources =
        new HashMap<>(Map.of(WorkerTopologyContext.SHARED_EXECUTOR, shared));
    return new TopologyContext(
        topology,
        conf,
        components,
        Map.of(),
        Map.of(),
        Map.of(),
        "made-up-1-1",
        "code",
        "workers/w-1/pids",
        task,
        port,
        new ArrayList<>(components.keySet()),
        resources,
        Map.of(),
        new HashMap<>(),
        new HashMap<>(),
        new AtomicBoolean(),
        metrics);
  }

  /** As Storm does when it closes the worker. */
  @Override
  public void close() {
    shared.shutdownNow();
  }
}
