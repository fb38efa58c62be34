package io.ballast.hook;

import java.util.List;

/**
 * Mean serialized size of what one task emits, stream by stream. The first tuples of a stream are
 * serialized once more to be measured, then ever fewer, at last one in about {@value #EVERY}; and
 * never so many that measuring takes more than {@value #BUDGET_NANOS} ns a tuple on average.
 * Between two samples a tuple counts as the mean, so pairs differ by their streams and not by their
 * tuples.
 */
final class StreamSizes {
  /** Tuples between two samples in the end. */
  static final int EVERY = 1024;

  /** Mean time that sampling may take of a tuple. */
  static final long BUDGET_NANOS = 20;

  /** Bytes are counted in sixteenths, so that the mean of small tuples is not rounded away. */
  static final int FRACTION = 16;

  /** Streams that are measured; what a task emits on any further one has no size. */
  private static final int STREAMS = 16;

  /** Samples after which the mean begins to forget. */
  private static final int MEMORY = 256;

  /** Samples that are taken however dear they are. */
  private static final int FIRST = 32;

  /** Measures one tuple. */
  interface Sizer {
    /**
     * @return serialized size in bytes; negative: not now
     */
    int size(String stream, List<Object> values) throws Exception;
  }

  private static final class Stream {
    private final String name;
    private long left = 1;
    private long samples;
    private double mean;
    private long sixteenths;
    private double nanos;
    private boolean failed;

    private Stream(String name) {
      this.name = name;
    }
  }

  private final Sizer sizer;
  private final Faults faults;
  private final Stream[] streams = new Stream[STREAMS];
  private int used;
  private Stream last = new Stream(null);
  private int random;
  private volatile boolean incomplete;

  StreamSizes(Sizer sizer, Faults faults, int seed) {
    this.sizer = sizer;
    this.faults = faults;
    random = seed * 0x9E3779B9 | 1;
  }

  /**
   * Mean size of the stream's tuples; for the task's own thread.
   *
   * @return sixteenths of bytes; 0 where it cannot be measured
   */
  long of(String name, List<Object> values) {
    Stream stream = last;
    // Storm hands in the same string for every tuple of a stream, nearly always.
    if (stream.name != name) {
      stream = find(name);
      if (stream == null) {
        return 0;
      }
      last = stream;
    }
    if (--stream.left <= 0 && !stream.failed) {
      sample(stream, values);
    }
    return stream.sixteenths;
  }

  /** Every stream could be measured so far. */
  boolean known() {
    return !incomplete;
  }

  private Stream find(String name) {
    for (int i = 0; i < used; i++) {
      if (streams[i].name.equals(name)) {
        return streams[i];
      }
    }
    if (used == STREAMS) {
      incomplete = true;
      return null;
    }
    streams[used] = new Stream(name);
    return streams[used++];
  }

  private void sample(Stream stream, List<Object> values) {
    long began = System.nanoTime();
    int size;
    try {
      size = sizer.size(stream.name, values);
    } catch (Throwable notSerializable) {
      // Tuples that never leave the worker need not be serializable: no fault of the topology's.
      stream.failed = true;
      stream.sixteenths = 0;
      incomplete = true;
      faults.add(Part.SIZES, notSerializable);
      return;
    }
    if (size < 0) {
      stream.left = 16;
      return;
    }
    stream.samples++;
    stream.mean += (size - stream.mean) / Math.min(stream.samples, MEMORY);
    stream.sixteenths = Math.round(stream.mean * FRACTION);
    long took = System.nanoTime() - began;
    // A thread that was stopped meanwhile has not spent that time here.
    double nanos = stream.samples == 1 ? took : Math.min(took, 4 * stream.nanos);
    stream.nanos += (nanos - stream.nanos) / Math.min(stream.samples, 8);
    long dear = stream.samples <= FIRST ? 1 : (long) (stream.nanos / BUDGET_NANOS);
    long step = Math.max(Math.min(stream.samples, EVERY), dear);
    stream.left = step / 2 + 1 + below(step);
  }

  /**
   * A number from 0 up to but not including the bound: samples must not keep step with a period.
   */
  private long below(long bound) {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return Math.floorMod(random, bound);
  }
}
