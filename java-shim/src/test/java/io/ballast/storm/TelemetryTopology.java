package io.ballast.storm;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * A topology whose every figure is known: a spout emits {@value #RATE} tuples a second, open loop;
 * of ten, seven go to the first task of the bolt by name; and each costs the bolt a known time of
 * its thread.
 */
final class TelemetryTopology {
  /** Tuples a second. */
  static final int RATE = 1000;

  /** CPU time that one tuple costs the bolt, nanoseconds. */
  static final long WORK_NANOS = 100_000;

  /** CPU time of the threads that the bolts' tasks run on, as they read it themselves. */
  static final Map<Integer, AtomicLong> CPU = new ConcurrentHashMap<>();

  private TelemetryTopology() {}

  /** Bolt of four tasks in two executors. */
  static TopologyBuilder builder() {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("source", new Source(), 1);
    builder.setBolt("work", new Work(), 2).setNumTasks(4).directGrouping("source", "work");
    return builder;
  }

  /** Emits by the clock, never faster; what it was late with it makes up for. */
  static final class Source extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    private transient SpoutOutputCollector collector;
    private transient TopologyContext context;
    private transient long began;
    private transient long emitted;

    @Override
    public void open(Map<String, Object> conf, TopologyContext own, SpoutOutputCollector out) {
      collector = out;
      context = own;
      began = System.nanoTime();
    }

    @Override
    public void nextTuple() {
      if ((System.nanoTime() - began) * (double) RATE / 1e9 <= emitted) {
        return;
      }
      int turn = (int) (emitted++ % 10);
      int task = turn < 7 ? 0 : turn - 6;
      int to = context.getComponentTasks("work").get(task);
      // Without a message id: nothing is played again, so the rates are what they are.
      collector.emitDirect(to, "work", new Values("x".repeat(100), emitted));
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
      declarer.declareStream("work", true, new Fields("text", "number"));
    }
  }

  /** Burns CPU time, and notes how much. */
  static final class Work extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    private transient ThreadMXBean threads;
    private transient AtomicLong cpu;
    private transient OutputCollector collector;

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
      threads = ManagementFactory.getThreadMXBean();
      cpu = CPU.computeIfAbsent(context.getThisTaskId(), task -> new AtomicLong());
      collector = out;
    }

    @Override
    public void execute(Tuple tuple) {
      long began = threads.getCurrentThreadCpuTime();
      long used;
      do {
        used = threads.getCurrentThreadCpuTime() - began;
      } while (used < WORK_NANOS);
      cpu.set(began + used);
      collector.ack(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
  }

  /** What the tasks' threads have used so far. */
  static Map<Integer, Long> cpuNow() {
    Map<Integer, Long> now = new HashMap<>();
    CPU.forEach((task, nanos) -> now.put(task, nanos.get()));
    return now;
  }
}
