package io.ballast.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.streams.Pair;
import org.apache.storm.streams.StreamBuilder;
import org.apache.storm.streams.operations.mappers.ValueMapper;
import org.apache.storm.testing.TestAggregatesCounter;
import org.apache.storm.testing.TestWordBytesCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.testing.FeederBatchSpout;
import org.apache.storm.trident.testing.MemoryMapState;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;
import org.apache.storm.windowing.TupleWindow;
import org.junit.jupiter.api.Test;

/** Which bolts keep a state, as far as Nimbus can know without loading their classes. */
class StatefulComponentsTest {
  private static final String REDIS = "org.apache.storm.redis.state.RedisKeyValueStateProvider";

  /** A stateful window. */
  static final class WindowBolt extends BaseStatefulWindowedBolt<KeyValueState<String, Long>> {
    private static final long serialVersionUID = 1L;

    @Override
    public void initState(KeyValueState<String, Long> state) {}

    @Override
    public void execute(TupleWindow window) {}
  }

  /** A window whose tuples are lost with the worker. */
  static final class PlainWindowBolt extends BaseWindowedBolt {
    private static final long serialVersionUID = 1L;

    @Override
    public void execute(TupleWindow window) {}
  }

  private static TopologyDetails details(StormTopology built, Map<String, Object> conf) {
    ClusterBuilder state = ClusterBuilder.cluster().node("n1", "h1", 6700).topology("t1", 1);
    state.built(built);
    conf.forEach(state::conf);
    return state.build().getTopologies().getById("t1");
  }

  private static StatefulComponents of(StormTopology built, Map<String, Object> conf) {
    return StatefulComponents.of(details(built, conf));
  }

  private static StatefulComponents of(StormTopology built) {
    return of(built, Map.of());
  }

  @Test
  void boltsWithAStateAreFoundAmongAllThatReadTheCheckpointStream() {
    TopologyBuilder builder = StatefulTopologies.counting();
    builder.setBolt("window", window()).shuffleGrouping("words");
    builder.setBolt("persistent", window().withPersistence()).shuffleGrouping("words");
    builder
        .setBolt("plain-window", new PlainWindowBolt().withTumblingWindow(count(5)))
        .shuffleGrouping("words");
    builder.setBolt("basic", new TestWordBytesCounter()).shuffleGrouping("words");
    builder.setBolt("rich", new TestAggregatesCounter()).shuffleGrouping("count");
    StormTopology built = builder.createTopology();
    assertTrue(built.get_spouts().containsKey("$checkpointspout"));
    built
        .get_bolts()
        .forEach(
            (id, bolt) ->
                assertTrue(
                    bolt.get_common().get_inputs().keySet().stream()
                        .anyMatch(stream -> stream.get_streamId().equals("$checkpoint")),
                    id));
    assertEquals(Set.of("count", "window", "persistent"), of(built).ids());
  }

  private static BaseStatefulWindowedBolt<KeyValueState<String, Long>> window() {
    return new WindowBolt().withTumblingWindow(count(5)).withMessageIdField("id");
  }

  private static BaseWindowedBolt.Count count(int tuples) {
    return new BaseWindowedBolt.Count(tuples);
  }

  @Test
  void aTopologyWithoutAStateHasNothingToLose() {
    TopologyBuilder builder = new TopologyBuilder();
    builder.setSpout("words", new TestWordSpout());
    builder.setBolt("basic", new TestWordBytesCounter()).shuffleGrouping("words");
    assertEquals(new StatefulComponents(Set.of(), true), of(builder.createTopology()));
    assertEquals(
        new StatefulComponents(Set.of(), true),
        StatefulComponents.of(States.running().build().getTopologies().getById("t1")));
  }

  @Test
  void statesOfTheStreamsApiAreFound() {
    StreamBuilder builder = new StreamBuilder();
    builder
        .newStream(new TestWordSpout(), new ValueMapper<String>(0))
        .mapToPair(word -> Pair.of(word, 1L))
        .updateStateByKey(0L, (state, one) -> state + one);
    StormTopology built = builder.build();
    StatefulComponents found = of(built);
    assertEquals(1, found.ids().size(), found::toString);
    assertTrue(built.get_bolts().keySet().containsAll(found.ids()));
  }

  /** Nor are they claimed to be: what their factory makes is known to the submitter alone. */
  @Test
  void statesOfTridentAreNotFound() {
    TridentTopology trident = new TridentTopology();
    trident
        .newStream("words", new FeederBatchSpout(List.of("word")))
        .groupBy(new Fields("word"))
        .persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"));
    assertEquals(new StatefulComponents(Set.of(), true), of(trident.build()));
  }

  @Test
  void onlyStormsOwnMemoryIsKnownToDieWithTheWorker() {
    StormTopology built = StatefulTopologies.counting().createTopology();
    String inMemory = "org.apache.storm.state.InMemoryKeyValueStateProvider";
    assertFalse(of(built).survive(), "Storm's default");
    assertFalse(of(built, Map.of(Config.TOPOLOGY_STATE_PROVIDER, inMemory)).survive());
    assertTrue(of(built, Map.of(Config.TOPOLOGY_STATE_PROVIDER, REDIS)).survive());
    assertTrue(of(built, Map.of(Config.TOPOLOGY_STATE_PROVIDER, "com.example.Own")).survive());
  }

  @Test
  void aComponentMayHaveAProviderOfItsOwn() {
    StormTopology built = StatefulTopologies.counting().createTopology();
    TopologyDetails inMemory = details(built, Map.of());
    TopologyDetails redis = details(built, Map.of(Config.TOPOLOGY_STATE_PROVIDER, REDIS));
    built.get_bolts().get("last").get_common().set_json_conf(provider("com.example.NotAsked"));
    assertFalse(StatefulComponents.of(inMemory).survive(), "of a bolt without a state");
    ComponentCommon count = built.get_bolts().get("count").get_common();
    count.set_json_conf(provider(REDIS));
    assertTrue(StatefulComponents.of(inMemory).survive());
    count.set_json_conf(provider("org.apache.storm.state.InMemoryKeyValueStateProvider"));
    assertFalse(StatefulComponents.of(redis).survive());
    for (String neither : List.of("}{" + provider(REDIS), "{\"topology.state.provider\": 7}")) {
      count.set_json_conf(neither);
      assertFalse(StatefulComponents.of(inMemory).survive(), neither);
      assertTrue(StatefulComponents.of(redis).survive(), neither);
    }
  }

  private static String provider(String name) {
    return "{\"topology.state.provider\": \"" + name + "\"}";
  }

  @Test
  void aClassIsNamedAndNotLookedUp() throws IOException {
    assertEquals(Optional.of("no.such.Bolt"), SerializedClass.name(stream("no.such.Bolt")));
    assertEquals(Optional.of("no.süch.Bolt"), SerializedClass.name(stream("no.süch.Bolt")));
    assertEquals(Optional.empty(), SerializedClass.name(stream("")));
    assertEquals(Optional.empty(), SerializedClass.name(stream("x".repeat(513))));
  }

  @Test
  void whatIsNoStreamOfAnObjectHasNoName() {
    byte[] bytes = Utils.javaSerialize(new StatefulTopologies.CountBolt());
    String name = StatefulTopologies.CountBolt.class.getName();
    for (int length = 0; length < bytes.length; length++) {
      Optional<String> expected = length < 8 + name.length() ? Optional.empty() : Optional.of(name);
      assertEquals(expected, SerializedClass.name(ByteBuffer.wrap(bytes, 0, length)));
    }
    for (Object other : new Object[] {"text", new int[] {1}, Thread.State.NEW}) {
      assertEquals(
          Optional.empty(), SerializedClass.name(ByteBuffer.wrap(Utils.javaSerialize(other))));
    }
    bytes[8] = (byte) 0xff;
    assertEquals(Optional.empty(), SerializedClass.name(ByteBuffer.wrap(bytes)), "no UTF-8");
  }

  @Test
  void theBufferStaysWhereItWas() throws IOException {
    ByteBuffer stream = stream("no.such.Bolt").order(java.nio.ByteOrder.LITTLE_ENDIAN);
    SerializedClass.name(stream);
    assertEquals(Optional.of("no.such.Bolt"), SerializedClass.name(stream));
    assertEquals(0, stream.position());
  }

  private static ByteBuffer stream(String name) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
    out.writeShort(ObjectStreamConstants.STREAM_VERSION);
    out.writeByte(ObjectStreamConstants.TC_OBJECT);
    out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
    out.writeUTF(name);
    return ByteBuffer.wrap(bytes.toByteArray());
  }
}
