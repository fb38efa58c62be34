package io.ballast.storm;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.apache.storm.scheduler.TopologyDetails;

/**
 * Writes where copies of states lie: where the newest advice says. Whether they really do is {@code
 * ballast.checkpoint.held}; if not, the engine keeps its advice to them and no move counts on them.
 *
 * <p>Nobody tells how far a copy is behind: that is left out, and the engine estimates it.
 *
 * @param held whoever stores the states follows the advice
 */
record PresentCopies(AdviceMemory advice, boolean held) {

  /** The field {@code checkpoints} of a topology, if it has advice. */
  void write(JsonGenerator json, TopologyDetails details) throws IOException {
    TopologyAdvice newest = advice.of(details.getId());
    if (newest == null) {
      return;
    }
    json.writeArrayFieldStart("checkpoints");
    for (TopologyAdvice.State state : newest.states()) {
      // A rebalance makes other executors; the engine refuses what is said of the old ones.
      if (details.getExecutors().contains(state.executor())) {
        write(json, state);
      }
    }
    json.writeEndArray();
  }

  private void write(JsonGenerator json, TopologyAdvice.State state) throws IOException {
    for (int slot = 0; slot < state.copies().size(); slot++) {
      json.writeStartObject();
      json.writeArrayFieldStart("executor");
      json.writeNumber(state.executor().getStartTask());
      json.writeNumber(state.executor().getEndTask());
      json.writeEndArray();
      json.writeStringField("node", state.copies().get(slot).id());
      json.writeNumberField("bytes", state.bytes());
      json.writeNumberField("slot", slot);
      json.writeBooleanField("held", held);
      json.writeEndObject();
    }
  }
}
