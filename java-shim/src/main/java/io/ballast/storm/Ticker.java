package io.ballast.storm;

import java.time.Instant;

/** The clocks the shim reads, in one place so that tests can turn them. */
interface Ticker {
  /** Monotonic time in nanoseconds; only differences mean anything. */
  long nanos();

  /** Wall-clock time, for the reader of a recording. */
  Instant now();

  /** The machine's clocks. */
  Ticker SYSTEM =
      new Ticker() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public Instant now() {
          return Instant.now();
        }
      };

  /** Seconds that passed since an earlier {@link #nanos()}. */
  default double secondsSince(long earlier) {
    return (nanos() - earlier) / 1e9;
  }
}
