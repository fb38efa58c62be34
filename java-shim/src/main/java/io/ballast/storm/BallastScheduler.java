package io.ballast.storm;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ballast for Storm's {@code storm.scheduler}. Nothing is decided here; see {@link Round} for what
 * happens under Nimbus's lock and {@link Planner} for what happens beside it.
 */
public final class BallastScheduler implements IScheduler {
  private static final Logger LOG = LoggerFactory.getLogger(BallastScheduler.class);

  private final Parts.Kit kit;
  private SafetyNet net;
  private Parts parts;

  /** As Nimbus makes it. */
  public BallastScheduler() {
    this(Parts.Kit.STANDARD);
  }

  /** With other clocks, engine or loads. */
  BallastScheduler(Parts.Kit kit) {
    this.kit = kit;
  }

  /**
   * A Throwable that leaves this method ends Nimbus, so none does. If the engine is missing, slow,
   * wrong or throws, {@code served} stays empty, the cluster is as Storm gave it, and the delegate
   * schedules all of it: exactly Storm without Ballast.
   */
  @Override
  public synchronized void schedule(Topologies topologies, Cluster cluster) {
    if (net == null) {
      LOG.warn("schedule was called before prepare or after cleanup; nothing is scheduled");
      return;
    }
    Set<String> served = Collections.emptySet();
    try {
      if (parts != null) {
        parts.beginRound(topologies);
        served = parts.round().serve(topologies, cluster);
      }
    } catch (Throwable failed) {
      net.caught(failed);
    }
    boolean delegated = net.delegate(served, topologies, cluster);
    try {
      if (parts != null) {
        parts.round().show(topologies, cluster, delegated);
      }
    } catch (Throwable failed) {
      net.caught(failed);
    }
  }

  /** A second call replaces all of the first. */
  @Override
  public synchronized void prepare(Map<String, Object> conf, StormMetricsRegistry metrics) {
    cleanup();
    Delegate delegate = Delegate.prepared(conf, metrics);
    net = new SafetyNet(delegate);
    try {
      parts = Parts.assemble(kit, conf, delegate, metrics);
    } catch (Throwable failed) {
      LOG.error("Ballast cannot be set up; {} schedules alone", delegate.name(), failed);
    }
  }

  /** Empty, always: Nimbus shows the keys of this map as owners of topologies. */
  @Override
  public Map<String, Map<String, Double>> config() {
    return Collections.emptyMap();
  }

  @Override
  public synchronized void cleanup() {
    if (parts != null) {
      parts.close();
    }
    if (net != null) {
      net.cleanup();
    }
    parts = null;
    net = null;
  }

  @Override
  public synchronized void nodeAssignmentSent(String node, boolean successful) {
    if (net != null) {
      net.nodeAssignmentSent(node, successful);
    }
  }

  /** For tests: what {@link #prepare} put together. */
  Parts parts() {
    return parts;
  }
}
