package io.ballast.hook;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread a worker has for telemetry: it reads the counters and sends them off. */
final class Reporter implements AutoCloseable {
  private static final long LOOK_NANOS = 1_000_000_000L;
  private static final Logger LOG = LoggerFactory.getLogger(TelemetryHook.class);

  private final WorkerMeter meter;
  private final Uplink uplink;
  private final String host;
  private final int port;
  private final Thread thread;
  private volatile boolean closed;

  private Reporter(WorkerMeter meter, Uplink uplink, String name, String host, int port) {
    this.meter = meter;
    this.uplink = uplink;
    this.host = host;
    this.port = port;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  static Reporter started(WorkerMeter meter, Uplink uplink, String name, String host, int port) {
    Reporter reporter = new Reporter(meter, uplink, name, host, port);
    reporter.thread.start();
    return reporter;
  }

  private void run() {
    // Workers that start together must not report together.
    double period = uplink.periodSecs() * ThreadLocalRandom.current().nextDouble(0.2, 1.0);
    long next = System.nanoTime() + (long) (period * 1e9);
    while (!closed) {
      LockSupport.parkNanos(
          this, Math.max(1_000_000, Math.min(LOOK_NANOS, next - System.nanoTime())));
      if (closed) {
        return;
      }
      if (meter.isOver()) {
        meter.end();
        return;
      }
      meter.look();
      if (System.nanoTime() - next >= 0) {
        report();
        next = System.nanoTime() + (long) (uplink.periodSecs() * 1e9);
      }
    }
  }

  private void report() {
    try {
      Interval interval = meter.roll();
      if (uplink.isReady()) {
        uplink.send(ReportWriter.write(interval, host, port, meter.components()));
      }
    } catch (Throwable failed) {
      if (closed) {
        LOG.debug("a report was cut off by the end of the worker", failed);
      } else {
        meter.faults().add(Part.REPORT, failed);
      }
    }
  }

  /** Does not wait for the thread: it may be in the middle of a report. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
