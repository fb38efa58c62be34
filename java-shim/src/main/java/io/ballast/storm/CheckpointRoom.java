package io.ballast.storm;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.scheduler.SupervisorDetails;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a supervisor says it can do for copies of states: two entries of {@code
 * supervisor.scheduler.meta} in its own storm.yaml, both in MiB, both texts, as Storm wants all
 * entries of that map. A value that is no amount is left out, and one warning says so.
 */
final class CheckpointRoom {
  /** Room for copies: {@code checkpoint_storage_mib}. */
  static final String STORAGE = "ballast.checkpoint.storage.mib";

  /** Copies it may be brought in a planning round: {@code checkpoint_network_mib}. */
  static final String NETWORK = "ballast.checkpoint.network.mib";

  /** The engine's limit; a larger number is a mistake in the unit. */
  private static final double MIB_MAX = 1e12;

  private static final Logger LOG = LoggerFactory.getLogger(CheckpointRoom.class);

  /** The value each wrong entry was last warned of, by supervisor and key. */
  private final Map<String, String> warned = new ConcurrentHashMap<>();

  /** The node's fields of a request, those that are known. */
  void write(JsonGenerator json, SupervisorDetails supervisor) throws IOException {
    // Storm hands the map over as an Object; null where the supervisor configures none.
    if (supervisor.getSchedulerMeta() instanceof Map<?, ?> meta) {
      write(json, "checkpoint_storage_mib", supervisor, STORAGE, meta.get(STORAGE));
      write(json, "checkpoint_network_mib", supervisor, NETWORK, meta.get(NETWORK));
    }
  }

  private void write(
      JsonGenerator json, String field, SupervisorDetails supervisor, String key, Object value)
      throws IOException {
    if (value == null) {
      return;
    }
    double mib = mib(value.toString());
    if (mib >= 0.0 && mib <= MIB_MAX) {
      json.writeNumberField(field, mib);
    } else if (!value.toString().equals(warned.put(supervisor.getId() + key, value.toString()))) {
      LOG.warn(
          "Ballast ignores {} = {} in supervisor.scheduler.meta of supervisor {} on {}; give MiB as"
              + " a number from 0 to 1e12, in quotes",
          key,
          value,
          supervisor.getId(),
          supervisor.getHost());
    }
  }

  private static double mib(String text) {
    try {
      return Double.parseDouble(text.trim());
    } catch (NumberFormatException notANumber) {
      return Double.NaN;
    }
  }
}
