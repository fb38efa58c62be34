package io.ballast.storm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.generated.WorkerSummary;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.apache.storm.utils.NimbusClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the leader's statistics by Thrift, on a thread of its own and off the scheduling lock:
 * Nimbus answers them from its heartbeat cache. {@code schedule} only ever sees the table read
 * last, so a Nimbus that does not answer costs freshness and nothing else.
 *
 * <p>Runs on every Nimbus, leader or not. One that takes over has loads at once, and knows where
 * the executors were ({@link Homes}).
 */
final class LoadFeed implements Loads.Source, AutoCloseable {
  /**
   * Seconds between two readings; statistics change every {@code executor.metrics.frequency.secs}.
   */
  static final double READ_SECS = 10.0;

  /** Longest pause after failures, seconds. */
  private static final double PAUSE_MAX_SECS = 300.0;

  private static final int THRIFT_TIMEOUT_MS = 30_000;
  private static final String WINDOW = ":all-time";
  private static final Logger LOG = LoggerFactory.getLogger(LoadFeed.class);

  private final Map<String, Object> stormConf;
  private final Homes homes;
  private final StatsHistory history = new StatsHistory();
  private volatile Loads newest = Loads.NONE;
  private Thread thread;
  private NimbusClient client;
  private String leader;
  private boolean failing;

  LoadFeed(Map<String, Object> stormConf, Homes homes) {
    this.stormConf = stormConf;
    this.homes = homes;
  }

  static LoadFeed started(Map<String, Object> stormConf, Homes homes) {
    LoadFeed feed = new LoadFeed(stormConf, homes);
    feed.thread = Threads.named("ballast-loads").newThread(feed::run);
    feed.thread.start();
    return feed;
  }

  @Override
  public Loads current() {
    return newest;
  }

  private void run() {
    double pause = readSecs();
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep((long) (pause * 1000));
        pause = attempt() ? readSecs() : Math.min(pause * 2, PAUSE_MAX_SECS);
      }
    } catch (InterruptedException stopped) {
      LOG.debug("stopped reading statistics");
    } finally {
      disconnect();
    }
  }

  /** Reads once; whatever goes wrong is told once, until it goes right again. */
  boolean attempt() {
    try {
      readOnce();
      if (failing) {
        LOG.info("Ballast reads Nimbus's statistics again");
      }
      failing = false;
      return true;
    } catch (Throwable failed) {
      if (!failing) {
        LOG.warn(
            "Ballast cannot read Nimbus's statistics: {}; loads stay as they were read last",
            Threads.say(failed));
      }
      failing = true;
      return false;
    }
  }

  /** As often as planning asks, if that is more often. */
  private double readSecs() {
    return Math.min(READ_SECS, BallastConf.of(stormConf).number(BallastConf.Setting.PERIOD_SECS));
  }

  private void readOnce() throws Exception {
    try {
      newest = read(leader());
    } catch (Exception failed) {
      disconnect();
      throw failed;
    }
  }

  /**
   * The leader, over a connection that is kept: Storm's client writes a log line for every leader
   * it finds. Only the leader gets heartbeats, so another one is asked as soon as there is another.
   */
  private Nimbus.Iface leader() throws Exception {
    if (client != null && !leader.equals(name(client.getClient().getLeader()))) {
      disconnect();
    }
    if (client == null) {
      client = NimbusClient.Builder.withConf(stormConf).withTimeout(THRIFT_TIMEOUT_MS).build();
      leader = name(client.getClient().getLeader());
    }
    return client.getClient();
  }

  private static String name(NimbusSummary nimbus) {
    return nimbus.get_host() + ":" + nimbus.get_port();
  }

  private void disconnect() {
    if (client != null) {
      client.close();
      client = null;
    }
  }

  /** One reading of all topologies. */
  Loads read(Nimbus.Iface nimbus) throws Exception {
    GetInfoOptions options = new GetInfoOptions();
    options.set_num_err_choice(NumErrorsChoice.NONE);
    Map<String, Map<ExecutorDetails, Loads.Load>> topologies = new HashMap<>();
    double window = 0.0;
    for (TopologySummary summary : nimbus.getTopologySummaries()) {
      String id = summary.get_id();
      TopologyInfo info;
      try {
        info = nimbus.getTopologyInfoWithOpts(id, options);
      } catch (NotAliveException gone) {
        // Killed since the list was read.
        continue;
      }
      StatsHistory.Reading reading = history.read(id, info.get_executors(), metricSecs());
      topologies.put(id, reading.loads());
      window = Math.max(window, reading.windowSecs());
      if (!homes.knows(id)) {
        try {
          seedHomes(nimbus, id, info.get_executors());
        } catch (NotAliveException | AuthorizationException notTold) {
          LOG.debug("the homes of {} are not known", id, notTold);
        }
      }
    }
    history.retain(topologies.keySet());
    return new Loads(window, topologies);
  }

  private double metricSecs() {
    Object value = stormConf.get(Config.EXECUTOR_METRICS_FREQUENCY_SECS);
    return value instanceof Number number ? number.doubleValue() : 60.0;
  }

  /** Executors are told by host and port; which supervisor that is, the topology's page knows. */
  private void seedHomes(Nimbus.Iface nimbus, String id, List<ExecutorSummary> executors)
      throws Exception {
    TopologyPageInfo page = nimbus.getTopologyPageInfo(id, WINDOW, true);
    Map<String, WorkerSlot> slots = new HashMap<>();
    if (page.is_set_workers()) {
      for (WorkerSummary worker : page.get_workers()) {
        WorkerSlot slot = new WorkerSlot(worker.get_supervisor_id(), worker.get_port());
        WorkerSlot twin = slots.put(worker.get_host() + ":" + worker.get_port(), slot);
        if (twin != null && !twin.equals(slot)) {
          // Two supervisors of one host offer the same port (LocalCluster): no telling them apart.
          return;
        }
      }
    }
    Map<ExecutorDetails, WorkerSlot> placement = new HashMap<>();
    for (ExecutorSummary executor : executors) {
      WorkerSlot slot = slots.get(executor.get_host() + ":" + executor.get_port());
      if (slot != null) {
        placement.put(StatsLoad.executor(executor), slot);
      }
    }
    if (!placement.isEmpty()) {
      homes.seed(id, placement);
    }
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
