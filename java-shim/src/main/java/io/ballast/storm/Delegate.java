package io.ballast.storm;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.DefaultScheduler;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.resource.ResourceAwareScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler below Ballast. It serves whole rounds when there is no engine, and otherwise the
 * topologies Ballast does not take care of.
 */
final class Delegate {
  private static final Logger LOG = LoggerFactory.getLogger(Delegate.class);

  private final IScheduler scheduler;

  private Delegate(IScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Makes and prepares the scheduler that {@code ballast.delegate.scheduler} names; one that cannot
   * be had is Storm's default.
   */
  static Delegate prepared(Map<String, Object> stormConf, StormMetricsRegistry metrics) {
    String className = BallastConf.of(stormConf).text(BallastConf.Setting.DELEGATE);
    try {
      IScheduler scheduler =
          Class.forName(className, true, loader())
              .asSubclass(IScheduler.class)
              .getDeclaredConstructor()
              .newInstance();
      if (scheduler instanceof BallastScheduler) {
        throw new IllegalArgumentException("Ballast cannot be its own delegate");
      }
      scheduler.prepare(stormConf, metrics);
      return new Delegate(scheduler);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError unusable) {
      LOG.error(
          "ballast.delegate.scheduler = {} cannot be used ({}); DefaultScheduler takes its place",
          className,
          Threads.say(unusable));
      IScheduler scheduler = new DefaultScheduler();
      scheduler.prepare(stormConf, metrics);
      return new Delegate(scheduler);
    }
  }

  private static ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : Delegate.class.getClassLoader();
  }

  String name() {
    return scheduler.getClass().getSimpleName();
  }

  /** It honors what topologies request and supervisors offer. */
  boolean isResourceAware() {
    return scheduler instanceof ResourceAwareScheduler;
  }

  /**
   * Schedules everything but some topologies. With none excepted it gets the cluster itself, just
   * as without Ballast. Otherwise it gets a copy that shows it the others alone as in need of a
   * slot, and what it did to them is carried over: Storm's DefaultScheduler asks the cluster and
   * not its argument what there is to schedule, and would deal a topology anew that Ballast grows
   * worker by worker.
   */
  void schedule(Set<String> excepted, Topologies topologies, Cluster cluster) {
    if (excepted.isEmpty()) {
      scheduler.schedule(topologies, cluster);
      return;
    }
    Set<String> own = new HashSet<>(topologies.getAllIds());
    own.removeAll(excepted);
    NarrowedCluster narrowed = new NarrowedCluster(cluster, own);
    scheduler.schedule(narrowed.getTopologies(), narrowed);
    TargetWriter.write(Target.present(narrowed, own), cluster);
    narrowed.getStatusMap().forEach((id, text) -> carryOver(id, text, own, cluster));
  }

  private static void carryOver(String id, String text, Set<String> own, Cluster cluster) {
    if (own.contains(id) && !text.equals(cluster.getStatus(id))) {
      cluster.setStatus(id, text);
    }
  }

  /** Whether it has anything to do, with these topologies excepted. */
  boolean isNeeded(Set<String> excepted, Topologies topologies, Cluster cluster) {
    return excepted.isEmpty()
        || topologies.getTopologies().stream()
            .anyMatch(t -> !excepted.contains(t.getId()) && cluster.needsScheduling(t));
  }

  void nodeAssignmentSent(String node, boolean successful) {
    scheduler.nodeAssignmentSent(node, successful);
  }

  void cleanup() {
    scheduler.cleanup();
  }

  /** A copy in which the slots of all topologies are taken, but only some topologies exist. */
  private static final class NarrowedCluster extends Cluster {
    private final Topologies own;

    NarrowedCluster(Cluster cluster, Set<String> own) {
      super(cluster);
      this.own =
          new Topologies(
              own.stream().map(cluster.getTopologies()::getById).toArray(TopologyDetails[]::new));
    }

    @Override
    public Topologies getTopologies() {
      return own;
    }

    @Override
    public List<TopologyDetails> needsSchedulingTopologies() {
      return own.getTopologies().stream().filter(this::needsScheduling).toList();
    }
  }
}
