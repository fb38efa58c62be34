package io.ballast.hook;

import java.util.concurrent.atomic.AtomicLongArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what failed in the hook of one worker; each part's first failure is logged, no other. */
final class Faults {
  private static final Logger LOG = LoggerFactory.getLogger(TelemetryHook.class);

  private final AtomicLongArray counts = new AtomicLongArray(Part.values().length);

  /** Never throws, not even where logging does. */
  void add(Part part, Throwable thrown) {
    try {
      if (counts.getAndIncrement(part.ordinal()) == 0) {
        LOG.warn(
            "Ballast's telemetry: {} failed, tuples are not affected; told once, counted from now on",
            part,
            thrown);
      }
    } catch (Throwable nothingLeftToDo) {
      // A bolt must not see it.
    }
  }

  long of(Part part) {
    return counts.get(part.ordinal());
  }

  /** How often each part failed so far, by ordinal. */
  long[] counts() {
    long[] copy = new long[counts.length()];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = counts.get(i);
    }
    return copy;
  }
}
