package io.ballast.storm;

import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;

/** Ballast as it is, but a test can get at the one that Nimbus made. */
public final class TelemetryScheduler implements IScheduler {
  private static volatile Parts newest;

  private final BallastScheduler ballast = new BallastScheduler();

  /** What the newest one is made of. */
  static Parts newest() {
    return newest;
  }

  @Override
  public void prepare(Map<String, Object> conf, StormMetricsRegistry metrics) {
    ballast.prepare(conf, metrics);
    newest = ballast.parts();
  }

  @Override
  public void schedule(Topologies topologies, Cluster cluster) {
    ballast.schedule(topologies, cluster);
  }

  @Override
  public Map<String, Map<String, Double>> config() {
    return ballast.config();
  }

  @Override
  public void cleanup() {
    ballast.cleanup();
  }

  @Override
  public void nodeAssignmentSent(String node, boolean successful) {
    ballast.nodeAssignmentSent(node, successful);
  }
}
