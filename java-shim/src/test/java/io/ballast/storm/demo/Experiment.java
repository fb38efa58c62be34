package io.ballast.storm.demo;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.storm.thrift.TException;

/**
 * Watches a topology while Ballast works: measures the load as Storm's scheduler placed it, notices
 * that Storm's assignment changed, waits until the restarted workers have settled, and measures
 * again. It only looks; whatever changes was Storm's and Ballast's doing.
 */
final class Experiment {
  /** Uptime from which on the statistics are those of a warm worker. */
  private static final int WARM_SECS = 10;

  /** Shortest windows that are believed: ten reports of each executor. */
  private static final double WINDOW_SECS = 20;

  private final FlightsCluster cluster;
  private final int settleSecs;
  private final double limitSecs;
  private final BallastRecord record;
  private final Map<String, Double> capacity;
  private final long start = System.nanoTime();

  private Optional<Measured> before = Optional.empty();
  private Optional<Measured> now = Optional.empty();
  private int restarts;

  /**
   * @param settleSecs uptime of all workers after which no tuple tree of the restarts is left over
   * @param limitSecs after which the experiment ends, finished or not
   * @param record of what the scheduler says it did
   */
  Experiment(FlightsCluster cluster, int settleSecs, double limitSecs, BallastRecord record)
      throws TException {
    this.cluster = cluster;
    this.settleSecs = settleSecs;
    this.limitSecs = limitSecs;
    this.record = record;
    this.capacity = cluster.capacityCores();
  }

  View run(Consumer<View> progress) throws TException, IOException, InterruptedException {
    Reading opened = null;
    Reading last = cluster.read();
    boolean moved = false;
    String doing = "waiting for Storm to place the topology and to report statistics";
    while (secs() < limitSecs && !curedBy(now)) {
      progress.accept(view(doing));
      Thread.sleep(1000);
      Reading reading = cluster.read();
      record.look(reading);
      if (!last.slots().isEmpty() && !last.slots().equals(reading.slots())) {
        restarts += restarted(last, reading);
        moved = true;
        opened = null;
        now = Optional.empty();
        doing = "workers restart; waiting until all are up for " + settleSecs + " s";
      }
      last = reading;
      if (opened == null) {
        opened = reading.allUpFor(moved ? settleSecs : WARM_SECS) ? reading : null;
        continue;
      }
      Optional<Measured> window = Measured.between(opened, reading, capacity);
      if (window.isEmpty()) {
        opened = null;
      } else if (moved) {
        now = window;
        doing = "measuring the load after the move";
      } else {
        before = window;
        doing = "measuring the load as Storm placed it; Ballast gathers statistics";
      }
    }
    return view("done");
  }

  /** The load distance fell by half, over a window long enough to be believed. */
  boolean curedBy(Optional<Measured> after) {
    return before.isPresent()
        && after.isPresent()
        && after.get().secs() >= WINDOW_SECS
        && after.get().loadDistance() <= before.get().loadDistance() / 2;
  }

  private View view(String doing) {
    return new View(secs(), doing, before, now, record.plans(), restarts);
  }

  private double secs() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Workers of the old assignment that are not exactly so in the new one: Storm kills them. */
  private static int restarted(Reading from, Reading to) {
    Map<Reading.Slot, TreeSet<Long>> old = workers(from);
    old.entrySet().removeAll(workers(to).entrySet());
    return old.size();
  }

  private static Map<Reading.Slot, TreeSet<Long>> workers(Reading reading) {
    Map<Reading.Slot, TreeSet<Long>> workers = new HashMap<>();
    reading
        .slots()
        .forEach((task, slot) -> workers.computeIfAbsent(slot, s -> new TreeSet<>()).add(task));
    return workers;
  }
}
