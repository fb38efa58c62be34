package io.ballast.storm;

import java.util.Map;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.IStatefulBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Topologies as a submitter builds them, with Storm's own builder. */
final class StatefulTopologies {
  private StatefulTopologies() {}

  /** Counts words in the state that Storm gives it. */
  static final class CountBolt extends BaseStatefulBolt<KeyValueState<String, Long>> {
    private static final long serialVersionUID = 1L;
    private transient KeyValueState<String, Long> counts;
    private transient OutputCollector collector;

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
      collector = out;
    }

    @Override
    public void initState(KeyValueState<String, Long> state) {
      counts = state;
    }

    @Override
    public void execute(Tuple tuple) {
      String word = tuple.getString(0);
      counts.put(word, counts.get(word, 0L) + 1);
      collector.emit(tuple, new Values(word, counts.get(word)));
      collector.ack(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
      declarer.declare(new Fields("word", "count"));
    }
  }

  /** Words, counted in a state, and counted once more without one. */
  static TopologyBuilder counting() {
    return counting(new CountBolt());
  }

  /** The same with another stateful bolt in the middle. */
  static TopologyBuilder counting(IStatefulBolt<?> middle) {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("words", new TestWordSpout(), 1);
    builder.setBolt("count", middle, 2).fieldsGrouping("words", new Fields("word"));
    builder.setBolt("last", new TestWordCounter(), 1).shuffleGrouping("count");
    return builder;
  }

  /**
   * {@link #counting} on three nodes, settled and measured: {@code words} is task 5, {@code count}
   * 2 and 3, {@code last} 4, the checkpoint spout 1.
   */
  static ClusterBuilder running() {
    return ClusterBuilder.cluster()
        .node("n1", "h1", 6700, 6701)
        .node("n2", "h2", 6700, 6701)
        .node("n3", "h3", 6700, 6701)
        .topology("t1", 3)
        .built(counting().createTopology())
        .executor(1, "$checkpointspout", Double.NaN)
        .executor(2, "count", 40)
        .executor(3, "count", 40)
        .executor(4, "last", 40)
        .executor(5, "words", Double.NaN)
        .worker("n1", 6700, 1, 2)
        .worker("n2", 6700, 3, 5)
        .worker("n3", 6700, 4);
  }
}
