package io.ballast.storm;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.storm.scheduler.Cluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Ballast did and why, where operators look: at most one line a round in Nimbus's log, and a
 * sentence in the scheduler status of each topology, which Storm UI shows. Both only when the
 * matter changed, not when a figure in it did: Storm writes a log line for every status that is
 * set.
 */
final class Journal {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

  private final Map<String, String> statuses = new HashMap<>();
  private String lastMatter = "";
  private StringJoiner matter = new StringJoiner("; ");
  private StringJoiner line = new StringJoiner("; ");
  private boolean warn;

  /**
   * Something for this round's line.
   *
   * @param about what must differ from the last round's for the line to be written
   * @param text the line
   */
  void tell(String about, String text) {
    matter.add(about);
    line.add(text);
  }

  /** Something that went wrong, for this round's line. */
  void warn(String text) {
    warn = true;
    tell(text, text);
  }

  /** Writes the round's line, if there is something new in it. */
  void endRound() {
    String now = matter.toString();
    if (!now.equals(lastMatter) && line.length() > 0) {
      if (warn) {
        LOG.warn("Ballast: {}", line);
      } else {
        LOG.info("Ballast: {}", line);
      }
    }
    lastMatter = now;
    matter = new StringJoiner("; ");
    line = new StringJoiner("; ");
    warn = false;
  }

  /** Sets a topology's status, unless it was set for the same matter already. */
  void status(Cluster cluster, String topologyId, String about, String text) {
    if (!about.equals(statuses.put(topologyId, about))) {
      cluster.setStatus(topologyId, text);
    }
  }

  /** Forgets topologies that are gone. */
  void retain(Collection<String> topologyIds) {
    statuses.keySet().retainAll(topologyIds);
  }
}
