package io.ballast.hook;

import java.util.Map;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.task.TopologyContext;

/**
 * Ballast's eyes in a worker: name it in {@code topology.auto.task.hooks}. Storm makes one for each
 * task; what they count is gathered by the {@link WorkerMeter} they share and told to Nimbus.
 *
 * <p>Nothing ever leaves it towards a bolt or spout: whatever is thrown inside turns this task's
 * counting off. No method takes a lock or waits on the tuple path.
 */
public final class TelemetryHook extends BaseTaskHook {
  private WorkerMeter worker;

  /** Null: the task is not counted. Written and read by the executor's thread once it runs. */
  private TaskMeter task;

  /** As Storm makes it. */
  public TelemetryHook() {}

  /** Called once a task, by the thread that sets the worker up. */
  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context) {
    try {
      worker = WorkerMeter.join(conf, context);
      task = worker.meter(context);
    } catch (Throwable failed) {
      off(Part.TASK, failed);
    }
  }

  @Override
  public void emit(EmitInfo info) {
    TaskMeter meter = task;
    if (meter != null) {
      try {
        meter.emitted(info.stream, info.values, info.outTasks);
      } catch (Throwable failed) {
        off(Part.TUPLES, failed);
      }
    }
  }

  @Override
  public void boltExecute(BoltExecuteInfo info) {
    TaskMeter meter = task;
    if (meter != null) {
      try {
        meter.received(info.tuple.getSourceTask());
      } catch (Throwable failed) {
        off(Part.TUPLES, failed);
      }
    }
  }

  @Override
  public void spoutAck(SpoutAckInfo info) {
    TaskMeter meter = task;
    if (meter != null) {
      try {
        meter.acked();
      } catch (Throwable failed) {
        off(Part.TUPLES, failed);
      }
    }
  }

  /** Called once a task, when the worker ends in an orderly way. */
  @Override
  public void cleanup() {
    task = null;
    if (worker != null) {
      try {
        worker.leave();
      } catch (Throwable failed) {
        worker.faults().add(Part.TASK, failed);
      }
    }
  }

  private void off(Part part, Throwable failed) {
    TaskMeter meter = task;
    task = null;
    if (meter != null) {
      meter.spoil();
    }
    (worker == null ? new Faults() : worker.faults()).add(part, failed);
  }
}
