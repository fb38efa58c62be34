package io.ballast.hook;

import com.codahale.metrics.Gauge;
import java.lang.reflect.Field;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.TopologyContext;

/**
 * How long tuples wait in an executor's receive queue, by Storm's own gauge (sojourn time: length
 * of the queue over its arrival rate, {@code JCQueueMetrics}). The mean of several looks, since the
 * gauge tells a moment.
 */
final class QueueWait {
  /** Storm's name of the gauge, {@code WorkerState.mkReceiveQueueMap}. */
  private static final String GAUGE = "receive-queue-sojourn_time_ms";

  /** Longer waits mean that nothing arrives any more, so the gauge means nothing either. */
  private static final double LONGEST_MS = 3_600_000.0;

  /** No gauge was found: never measured. */
  static final QueueWait NONE = new QueueWait(null);

  private final Gauge<?> gauge;
  private double sum;
  private int looks;

  private QueueWait(Gauge<?> gauge) {
    this.gauge = gauge;
  }

  /**
   * The queue of this task's executor. Contexts hand out no metric they did not make, so the
   * registry is taken from the context's field; where a Storm has none there, waits are not
   * measured.
   */
  static QueueWait of(TopologyContext context, Faults faults) {
    try {
      Field field = TopologyContext.class.getDeclaredField("metricRegistry");
      field.setAccessible(true);
      StormMetricRegistry registry = (StormMetricRegistry) field.get(context);
      Gauge<?> gauge = registry.getTaskGauges(context.getThisTaskId()).get(GAUGE);
      return gauge == null ? NONE : new QueueWait(gauge);
    } catch (Throwable otherStorm) {
      faults.add(Part.QUEUES, otherStorm);
      return NONE;
    }
  }

  void look() {
    if (gauge != null && gauge.getValue() instanceof Number wait) {
      double ms = wait.doubleValue();
      if (ms >= 0 && ms <= LONGEST_MS) {
        sum += ms;
        looks++;
      }
    }
  }

  /** Mean wait in microseconds since the last call; negative: not measured. */
  long roll() {
    long micros = looks == 0 ? -1 : Math.round(sum * 1000 / looks);
    sum = 0;
    looks = 0;
    return micros;
  }
}
