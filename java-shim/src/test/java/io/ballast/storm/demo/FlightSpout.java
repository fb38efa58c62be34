package io.ballast.storm.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;

/**
 * Plays the month of flights over and over at a fixed rate, whatever the topology does with them:
 * an open loop, for a closed one ({@code topology.max.spout.pending}) slows down until every node
 * looks equally busy. Reliable: a flight whose tuple tree fails is played again.
 */
final class FlightSpout extends BaseRichSpout {
  private static final long serialVersionUID = 1L;

  /** A pause longer than this (garbage collection, a laptop asleep) is not caught up with. */
  private static final long FORGIVEN_NANOS = 1_000_000_000L;

  private final int flightsPerSec;

  private transient SpoutOutputCollector collector;
  private transient List<Flight> month;
  private transient Deque<Long> failed;
  private transient int tasks;
  private transient long nanosPerFlight;
  private transient long due;
  private transient long next;

  /**
   * @param flightsPerSec rate of all tasks of the component together
   */
  FlightSpout(int flightsPerSec) {
    this.flightsPerSec = flightsPerSec;
  }

  @Override
  public void open(
      Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
    this.collector = collector;
    month = FlightMonth.load();
    failed = new ArrayDeque<>();
    tasks = context.getComponentTasks(context.getThisComponentId()).size();
    nanosPerFlight = 1_000_000_000L * tasks / flightsPerSec;
    next = context.getThisTaskIndex();
    due = System.nanoTime();
  }

  @Override
  public void nextTuple() {
    long now = System.nanoTime();
    if (now < due) {
      return;
    }
    due = now - due > FORGIVEN_NANOS ? now + nanosPerFlight : due + nanosPerFlight;
    Long again = failed.poll();
    if (again != null) {
      play(again);
    } else {
      play(next);
      next += tasks;
    }
  }

  @Override
  public void fail(Object flight) {
    failed.add((Long) flight);
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declarer.declare(Flight.fields());
  }

  private void play(long number) {
    collector.emit(month.get((int) (number % month.size())).values(), number);
  }
}
