package io.ballast.storm.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main job on one machine: Storm places the flights topology, Ballast measures it, plans and
 * moves. Exit code 0 only if Ballast's plan was applied, the measured load distance fell by half
 * and no tuple tree failed after the settle time; 1 otherwise.
 *
 * <p>Run by {@code scripts/demo}, which says where what it leaves may lie ({@code
 * ballast.demo.folder}), whether standard output is a terminal ({@code ballast.demo.terminal}), and
 * what Nimbus's settings are ({@code ballast.demo.settings}, a file) or that there is a cluster
 * with them already ({@code ballast.demo.cluster}), and cleans up behind it.
 */
public final class Demo {
  private static final boolean REAL = Boolean.getBoolean("ballast.demo.cluster");

  /**
   * Real workers serialize and send, which costs more than all the bolts do: at the rate for one
   * process nodes of half a core would be full, and execute latency, which is wall time, would tell
   * of the waiting and not of the work.
   */
  private static final int FLIGHTS_PER_SEC = REAL ? 200 : Sizing.FLIGHTS_PER_SEC;

  /** A worker whose code is not compiled yet needs longer where it has a quarter of a core. */
  private static final int MESSAGE_TIMEOUT_SECS = REAL ? 10 : 5;

  /** Storm fails a tree between one and two timeouts after it was emitted; the rest is margin. */
  private static final int SETTLE_SECS = 3 * MESSAGE_TIMEOUT_SECS;

  /** Workers that are processes of their own take their time to start, twice. */
  private static final double LIMIT_SECS = REAL ? 400 : 200;

  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);

  private Demo() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) {
    Path folder = Path.of(System.getProperty("ballast.demo.folder"));
    int code = 1;
    try {
      code = conclude(experiment(folder), folder);
    } catch (Exception failed) {
      System.out.println("FAILED " + failed);
      LOG.error("the demo could not run", failed);
      pointAt(folder);
    }
    // The cluster goes with the process. Storm's own way down takes half a minute, and a supervisor
    // that is stopped while it starts a worker ends the process with a code of its own.
    Runtime.getRuntime().halt(code);
  }

  private static View experiment(Path folder) throws Exception {
    boolean terminal = Boolean.getBoolean("ballast.demo.terminal");
    Screen screen = new Screen(System.out, terminal, System.getenv("NO_COLOR") == null);
    Sizing sizing = Sizing.forThisMachine(FLIGHTS_PER_SEC);
    System.out.printf(
        Locale.ROOT,
        "Topology %s: %d flights a second of January 2013, open loop, %d workers.%n"
            + "Cluster: %d supervisors of %.1f core with %d slots, %s.%n",
        FlightsTopology.NAME,
        sizing.flightsPerSec(),
        FlightsTopology.WORKERS,
        DemoCluster.SUPERVISORS,
        DemoCluster.SUPERVISOR_PCORE / 100,
        DemoCluster.SLOTS,
        REAL ? "daemons and workers in processes of their own" : "all in this process");
    FlightsCluster cluster = REAL ? real(sizing) : inThisProcess(folder, sizing);
    BallastRecord record = new BallastRecord(cluster, folder.resolve("rounds"));
    View end = new Experiment(cluster, SETTLE_SECS, LIMIT_SECS, record).run(screen::show);
    screen.conclude(end);
    return end;
  }

  private static int conclude(View end, Path folder) {
    List<String> failures = Verdict.failures(end);
    if (failures.isEmpty()) {
      System.out.printf(
          Locale.ROOT,
          "%nBallast's plan was applied: load distance %.3f -> %.3f, %d workers restarted, no tuple"
              + " tree failed after the settle time.%n",
          end.before().orElseThrow().loadDistance(),
          end.now().orElseThrow().loadDistance(),
          end.restarts());
      return 0;
    }
    System.out.println();
    failures.forEach(failure -> System.out.println("FAILED " + failure));
    pointAt(folder);
    return 1;
  }

  private static void pointAt(Path folder) {
    System.out.println("Storm's log: " + folder.resolve(REAL ? "logs" : "storm.log"));
    System.out.println("Ballast's rounds: " + folder.resolve("rounds"));
  }

  private static FlightsCluster real(Sizing sizing) throws Exception {
    return RealCluster.start(sizing, FlightsTopology.conf(MESSAGE_TIMEOUT_SECS));
  }

  private static FlightsCluster inThisProcess(Path folder, Sizing sizing) throws Exception {
    Map<String, Object> conf =
        Utils.findAndReadConfigFile(System.getProperty("ballast.demo.settings"));
    conf.put("ballast.record.dir", folder.resolve("rounds").toString());
    return DemoCluster.start(conf, sizing, FlightsTopology.conf(MESSAGE_TIMEOUT_SECS));
  }
}
