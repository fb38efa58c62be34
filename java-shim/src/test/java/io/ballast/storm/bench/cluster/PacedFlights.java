package io.ballast.storm.bench.cluster;

import io.ballast.storm.demo.Flight;
import io.ballast.storm.demo.FlightMonth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;

/**
 * Plays the month of flights over and over at the rate that the folder's {@link Order} names, and
 * writes down what came back. A flight that fails is counted and not played again.
 */
final class PacedFlights extends BaseRichSpout {
  private static final long serialVersionUID = 1L;

  private final String folder;

  private transient SpoutOutputCollector collector;
  private transient List<Flight> month;
  private transient Schedule schedule;
  private transient AckLog log;
  private transient long nextLook;
  private transient int next;
  private transient int tasks;

  /**
   * @param folder of the order and of what the spouts write
   */
  PacedFlights(String folder) {
    this.folder = folder;
  }

  @Override
  public void open(
      Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
    this.collector = collector;
    month = FlightMonth.load();
    tasks = context.getComponentTasks(context.getThisComponentId()).size();
    next = context.getThisTaskIndex();
    schedule = new Schedule(context.getThisTaskIndex(), tasks);
    try {
      log = new AckLog(Path.of(folder), context.getThisTaskId(), System.nanoTime());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write into " + folder, e);
    }
  }

  @Override
  public void nextTuple() {
    long now = System.nanoTime();
    look(now);
    if (schedule.due(now)) {
      Flight flight = month.get(next);
      next = (next + tasks) % month.size();
      collector.emit(flight.values(), schedule.take(now));
      log.emitted();
    }
  }

  @Override
  public void ack(Object due) {
    long now = System.nanoTime();
    log.acked(now - (Long) due);
    // Here too: Storm does not ask for tuples while too many are pending.
    look(now);
  }

  @Override
  public void fail(Object due) {
    log.failed();
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declarer.declare(Flight.fields());
  }

  private void look(long now) {
    if (now - nextLook < 0) {
      return;
    }
    nextLook = now + AckLog.INTERVAL_NANOS / 2;
    try {
      schedule.follow(Order.read(Path.of(folder)), now);
      log.look(now);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read or write in " + folder, e);
    }
  }
}
