package io.ballast.storm;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;

/**
 * Ballast for Storm's {@code storm.scheduler}. Nothing is decided here; see {@link Round} for what
 * happens under Nimbus's lock and {@link Planner} for what happens beside it.
 */
public final class BallastScheduler implements IScheduler {
  private final Parts.Kit kit;
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
    Set<String> served = Collections.emptySet();
    try {
      served = parts.round().serve(topologies, cluster);
    } catch (Throwable failed) {
      parts.net().caught(failed);
    }
    parts.net().delegate(served, topologies, cluster);
    try {
      parts.round().show(topologies, cluster);
    } catch (Throwable failed) {
      parts.net().caught(failed);
    }
  }

  /** A second call replaces all of the first. */
  @Override
  public synchronized void prepare(Map<String, Object> conf, StormMetricsRegistry metrics) {
    cleanup();
    parts = Parts.assemble(kit, conf, metrics);
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
      parts = null;
    }
  }

  @Override
  public void nodeAssignmentSent(String node, boolean successful) {
    Parts prepared = parts;
    if (prepared != null) {
      prepared.net().nodeAssignmentSent(node, successful);
    }
  }

  /** For tests: what {@link #prepare} put together. */
  Parts parts() {
    return parts;
  }
}
