package io.ballast.storm.telemetry;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Telemetry inside Nimbus, from the port to the figures. It is told of each scheduling round, which
 * is how it knows that it leads and which topologies there are; all else happens on threads of its
 * own.
 */
public final class Telemetry implements AutoCloseable {
  /** Nimbus schedules every 10 s by default; one that did not for this long does not lead. */
  private static final double LEADS_SECS = 120.0;

  private static final long KEEP_NANOS = 15_000_000_000L;
  private static final long TELL_NANOS = 60_000_000_000L;
  private static final Logger LOG = LoggerFactory.getLogger(Telemetry.class);

  /**
   * What an operator sets.
   *
   * @param host address to listen on; empty: all
   * @param port where workers report; 0: any that is free
   * @param periodSecs how often workers report
   * @param rotateHours age at which a topology's secret is replaced
   * @param warmSecs uptime below which a worker warms up; 0: none does
   */
  public record Settings(
      String host, int port, double periodSecs, double rotateHours, double warmSecs) {}

  /**
   * What telemetry must know of a topology.
   *
   * @param conf its configuration
   * @param taskMax its highest task
   */
  public record Known(Map<String, Object> conf, int taskMax) {}

  private final Settings settings;
  private final LongSupplier nanos;
  private final KeyKeeper keeper;
  private final Counts counts = new Counts();
  private final Measurements measurements;
  private final Reception reception;
  private final Thread thread;
  private volatile Receiver receiver;
  private volatile Map<String, Known> topologies = Map.of();
  private volatile long roundNanos;
  private volatile boolean rounds;
  private volatile boolean closed;
  private boolean portTold;
  private long toldNanos;
  private long toldDropped;

  Telemetry(Settings settings, Callable<KeyStore> store, LongSupplier nanos) {
    this.settings = settings;
    this.nanos = nanos;
    keeper =
        new KeyKeeper(
            store,
            () -> System.currentTimeMillis() / 1000,
            settings.periodSecs(),
            settings.rotateHours());
    measurements = new Measurements(nanos, settings.warmSecs());
    reception = new Reception(view(), measurements, counts, nanos);
    toldNanos = nanos.getAsLong();
    thread = new Thread(this::run, "ballast-telemetry-keys");
    thread.setDaemon(true);
  }

  /** Opens the port and begins; a port that cannot be had is told and tried again. */
  public static Telemetry started(Settings settings, Map<String, Object> stormConf) {
    Telemetry telemetry = new Telemetry(settings, () -> KeyStore.of(stormConf), System::nanoTime);
    telemetry.open();
    telemetry.thread.start();
    return telemetry;
  }

  private Reception.Topologies view() {
    return new Reception.Topologies() {
      @Override
      public boolean leading() {
        return rounds && (nanos.getAsLong() - roundNanos) / 1e9 < LEADS_SECS;
      }

      @Override
      public Keys keys(String topology) {
        return topologies.containsKey(topology) ? keeper.of(topology) : null;
      }

      @Override
      public int taskMax(String topology) {
        Known known = topologies.get(topology);
        return known == null ? -1 : known.taskMax();
      }
    };
  }

  /** A scheduling round: this Nimbus leads, and these are its topologies. Returns at once. */
  public void round(Map<String, Known> alive) {
    boolean news = !alive.keySet().equals(topologies.keySet()) || !view().leading();
    topologies = Map.copyOf(alive);
    roundNanos = nanos.getAsLong();
    rounds = true;
    if (news) {
      LockSupport.unpark(thread);
    }
  }

  /** Opens the port if that is possible; what stands against it is told once. */
  void open() {
    try {
      receiver = Receiver.open(settings.host(), settings.port(), reception, counts);
      LOG.info("Ballast takes telemetry on port {}", receiver.port());
    } catch (IOException | RuntimeException failed) {
      if (!portTold) {
        LOG.error(
            "Ballast cannot take telemetry on port {}: {}; loads come from Storm's statistics until"
                + " it can. Set ballast.telemetry.port to a free one",
            settings.port(),
            failed.toString());
      }
      portTold = true;
    }
  }

  private void run() {
    while (!closed) {
      try {
        step();
      } catch (Throwable failed) {
        LOG.warn("Ballast's telemetry stumbled", failed);
      }
      LockSupport.parkNanos(this, KEEP_NANOS);
    }
    // Told to end by an interrupt, which the connection would take for itself.
    Thread.interrupted();
    keeper.close();
  }

  /** What is to be done from time to time. */
  void step() {
    if (receiver == null) {
      open();
    }
    Map<String, Known> alive = topologies;
    reception.retain(alive.keySet());
    measurements.retain(alive.keySet());
    if (!view().leading()) {
      keeper.forget();
    } else if (receiver != null) {
      Map<String, Map<String, Object>> confs = new HashMap<>();
      alive.forEach((id, known) -> confs.put(id, known.conf()));
      keeper.keep(confs, receiver.port());
    }
    tell();
  }

  private void tell() {
    long now = nanos.getAsLong();
    long dropped = counts.dropped();
    if (dropped != toldDropped && now - toldNanos > TELL_NANOS) {
      LOG.warn("Ballast's telemetry: {} reports taken, {}", counts.reports(), counts);
      toldDropped = dropped;
      toldNanos = now;
    }
  }

  /** What the reports say. */
  public Measurements measurements() {
    return measurements;
  }

  /** Age at which a figure is no longer what is: a minute, or some reports that did not come. */
  public double maxAgeSecs() {
    return Math.max(60.0, 4 * settings.periodSecs());
  }

  /** What became of them. */
  public Counts counts() {
    return counts;
  }

  /** The port workers report to; 0: it could not be opened so far. */
  public int port() {
    Receiver open = receiver;
    return open == null ? 0 : open.port();
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    Receiver open = receiver;
    if (open != null) {
      open.close();
    }
  }
}
