package io.ballast.hook;

import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Config;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.utils.Utils;

/**
 * How many bytes a tuple takes between two workers: its values as Storm's own serializer writes
 * them, its head, and the frame round it; and how long that takes. One serializer serves the
 * worker; a task that finds it taken does without a sample rather than wait.
 */
final class TupleSizer implements StreamSizes.Sizer {
  /**
   * Source task, stream and number of anchors, then target task and length ({@code TaskMessage}).
   */
  private static final int HEAD = 2 + 1 + 1 + 2 + 4;

  /** Root and edge id of one anchor. */
  private static final int ANCHOR = 16;

  /** A serializer keeps the buffer of the largest tuple; above this it is thrown away with it. */
  private static final int BUFFER_MAX = 1 << 20;

  private final Map<String, Object> conf;
  private final boolean anchored;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final ThreadMXBean threads;
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong timed = new AtomicLong();
  private KryoValuesSerializer serializer;

  /**
   * @param threads tells the CPU time of the thread that samples; null: it cannot be told
   */
  TupleSizer(Map<String, Object> conf, ThreadMXBean threads) {
    this.conf = conf;
    this.threads = threads;
    Object ackers = conf.get(Config.TOPOLOGY_ACKER_EXECUTORS);
    // Not set means as many as there are workers.
    anchored = !(ackers instanceof Number number) || number.intValue() > 0;
  }

  @Override
  public int size(String stream, List<Object> values) {
    if (!taken.compareAndSet(false, true)) {
      return -1;
    }
    try {
      if (serializer == null) {
        serializer = new KryoValuesSerializer(conf);
      }
      // Not wall time: a node at its limit stops its threads for a tenth of a second at a time.
      long began = threads == null ? 0 : threads.getCurrentThreadCpuTime();
      int size = serializer.serialize(values).length;
      if (threads != null) {
        nanos.addAndGet(threads.getCurrentThreadCpuTime() - began);
        timed.incrementAndGet();
      }
      if (size > BUFFER_MAX) {
        serializer = null;
      }
      return HEAD + (anchored && !Utils.isSystemId(stream) ? ANCHOR : 0) + size;
    } catch (Throwable failed) {
      serializer = null;
      throw failed;
    } finally {
      taken.set(false);
    }
  }

  /** Mean CPU time of a sample since the last call, nanoseconds; negative: none was timed. */
  long rollNanos() {
    long samples = timed.getAndSet(0);
    long sum = nanos.getAndSet(0);
    return samples == 0 ? -1 : sum / samples;
  }
}
