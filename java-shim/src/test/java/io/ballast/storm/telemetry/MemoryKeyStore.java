package io.ballast.storm.telemetry;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A store that can be made to fail. */
final class MemoryKeyStore implements KeyStore {
  final Map<String, byte[]> data = new ConcurrentSkipListMap<>();
  boolean failing;
  int writes;

  private void check() {
    if (failing) {
      throw new IllegalStateException("ConnectionLoss");
    }
  }

  @Override
  public byte[] read(String topology) {
    check();
    return data.get(topology);
  }

  @Override
  public void write(String topology, byte[] text, Map<String, Object> topologyConf) {
    check();
    writes++;
    data.put(topology, text);
  }

  @Override
  public void remove(String topology) {
    check();
    data.remove(topology);
  }

  @Override
  public List<String> topologies() {
    check();
    return List.copyOf(data.keySet());
  }

  @Override
  public void close() {}
}
