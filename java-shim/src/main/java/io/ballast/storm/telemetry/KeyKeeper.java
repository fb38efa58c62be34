package io.ballast.storm.telemetry;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that every topology has a secret, that the secret changes now and then, and that it
 * goes when the topology goes. Only the leader's keeper works; one that begins to lead takes over
 * what lies in the store, so workers go on with the secrets they have.
 */
final class KeyKeeper {
  /** How long the secret before the present one is still taken. Workers look every 300 s. */
  static final long PREVIOUS_SECS = 900;

  private static final Logger LOG = LoggerFactory.getLogger(KeyKeeper.class);

  private final Callable<KeyStore> opening;
  private final LongSupplier clockSecs;
  private final double periodSecs;
  private final long rotateSecs;
  private final Map<String, Keys> keys = new ConcurrentHashMap<>();
  private KeyStore store;
  private boolean swept;
  private boolean failing;

  /**
   * @param opening opens the store when it is needed first
   * @param clockSecs seconds since 1970
   * @param periodSecs how often workers shall report
   * @param rotateHours age at which a secret is replaced
   */
  KeyKeeper(
      Callable<KeyStore> opening, LongSupplier clockSecs, double periodSecs, double rotateHours) {
    this.opening = opening;
    this.clockSecs = clockSecs;
    this.periodSecs = periodSecs;
    rotateSecs = (long) (rotateHours * 3600);
  }

  /** The keys of a topology; null: none yet. */
  Keys of(String topology) {
    return keys.get(topology);
  }

  /**
   * Goes through all topologies once; what fails is told once and tried again the next time.
   *
   * @param alive configurations by topology id
   * @param port where workers shall report
   */
  synchronized void keep(Map<String, Map<String, Object>> alive, int port) {
    try {
      if (store == null) {
        store = opening.call();
      }
      keys.keySet().retainAll(alive.keySet());
      for (Map.Entry<String, Map<String, Object>> topology : alive.entrySet()) {
        keep(topology.getKey(), topology.getValue(), port);
      }
      if (!swept || store.topologies().size() > alive.size()) {
        sweep(alive);
        swept = true;
      }
      if (failing) {
        LOG.info("Ballast keeps the secrets of telemetry again");
      }
      failing = false;
    } catch (Exception failed) {
      if (!failing) {
        LOG.warn("Ballast cannot keep the secrets of telemetry: {}", failed.toString());
      }
      failing = true;
    }
  }

  private void keep(String topology, Map<String, Object> conf, int port) throws Exception {
    // Every time: another leader may have been here in between, or an operator, who gets a new
    // secret made by deleting the old one.
    byte[] data = store.read(topology);
    Keys known = data == null ? null : Keys.read(data);
    long now = clockSecs.getAsLong();
    Keys wanted = known == null ? Keys.made(port, periodSecs, now) : known;
    if (wanted.port() != port || wanted.periodSecs() != periodSecs) {
      wanted = wanted.at(port, periodSecs);
    }
    long age = now - wanted.madeSecs();
    if (Math.abs(age) > rotateSecs) {
      // Of a clock far ahead, too: it would keep its secret for as long as that.
      wanted = wanted.rotated(now);
    } else if (wanted.previous() != null && Math.abs(age) > PREVIOUS_SECS) {
      wanted = wanted.withoutPrevious();
    }
    if (wanted != known) {
      store.write(topology, wanted.text(), conf);
    }
    keys.put(topology, wanted);
  }

  private void sweep(Map<String, Map<String, Object>> alive) throws Exception {
    for (String topology : store.topologies()) {
      if (!alive.containsKey(topology)) {
        store.remove(topology);
      }
    }
  }

  /** Another leads: what is known may be out of date when this one leads again. */
  synchronized void forget() {
    keys.clear();
    swept = false;
  }

  synchronized void close() {
    if (store != null) {
      store.close();
      store = null;
    }
  }
}
