package io.ballast.storm;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the engine may be asked. A failure costs one round; after {@value #LIMIT} in a row the
 * engine is left alone for {@code ballast.native.retry.secs}. One line says that it failed and why,
 * one that it is left alone, one that it is back; a line a round would bury all three.
 */
final class Health {
  /** Failures in a row after which the engine is left alone. */
  static final int LIMIT = 3;

  private static final Logger LOG = LoggerFactory.getLogger(Health.class);

  private final Ticker ticker;
  private final double retrySecs;
  private final String delegate;
  private int failures;
  private boolean off;
  private long offSince;
  private String reason = "not asked yet";

  Health(Ticker ticker, double retrySecs, String delegate) {
    this.ticker = ticker;
    this.retrySecs = retrySecs;
    this.delegate = delegate;
  }

  /** The engine may be asked now; true again, for one try, when it was left alone long enough. */
  synchronized boolean allows() {
    return !off || ticker.secondsSince(offSince) >= retrySecs;
  }

  /** Why the engine is not asked, or what went wrong last. */
  synchronized String reason() {
    return reason;
  }

  synchronized void succeeded() {
    if (failures > 0) {
      LOG.info("Ballast's engine answers again after {} failures", failures);
    }
    failures = 0;
    off = false;
  }

  /** One call failed. */
  synchronized void failed(String why) {
    failures++;
    reason = why;
    boolean wasOff = off;
    off = off || failures >= LIMIT;
    offSince = ticker.nanos();
    if (failures == 1) {
      LOG.warn("Ballast's engine failed: {}; {} schedules instead", why, delegate);
    } else if (off && !wasOff) {
      LOG.warn(
          "Ballast's engine failed {} times in a row, last: {}; it is left alone for {} s",
          failures,
          why,
          Math.round(retrySecs));
    }
  }

  /** There is no engine at all: nothing to be gained by asking again next round. */
  synchronized void absent(String why) {
    if (!off || !why.equals(reason)) {
      LOG.error(
          "Ballast has no engine: {}; {} schedules instead, next try in {} s",
          why,
          delegate,
          Math.round(retrySecs));
    }
    failures++;
    reason = why;
    off = true;
    offSince = ticker.nanos();
  }
}
