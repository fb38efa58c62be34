package io.ballast.storm;

import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;

/** What the benchmarks, in a package of their own, need of the shim's inside. */
public final class BenchDoor {
  private BenchDoor() {}

  /** Ballast as Nimbus runs it, planning thread and all, but for the statistics of a Nimbus. */
  public static IScheduler scheduler() {
    return new BallastScheduler(
        new Parts.Kit(
            Ticker.SYSTEM, NativeEngine::source, (conf, homes) -> () -> Loads.NONE, true));
  }

  /** The request that a placement sends. */
  public static byte[] placement(Map<String, Object> conf, Topologies topologies, Cluster cluster) {
    RoundMemory memory = new RoundMemory(Ticker.SYSTEM, new Homes());
    memory.beginRound(topologies, cluster);
    Delegate delegate = Delegate.prepared(conf, new StormMetricsRegistry());
    return new RequestWriter(conf, delegate.isResourceAware())
        .write(
            memory.snapshot(topologies, cluster),
            Loads.NONE,
            new RequestWriter.Question(
                "place",
                0,
                0,
                new PresentCopies(memory.advice(), false),
                BallastConf.of(conf).settings()));
  }

  /** The engine's answer; {@link #scheduler} must have been prepared, which loads the library. */
  public static byte[] answer(byte[] request) {
    return NativeBallast.answer(request);
  }
}
