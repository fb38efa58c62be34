package io.ballast.storm;

import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of advice on copies of states: it is remembered ({@link AdviceMemory}), logged where
 * it changes, and stored ({@link AdviceFolder}). Used by the planner's thread, around each question
 * to the engine.
 */
final class Advisory {
  private static final Logger LOG = LoggerFactory.getLogger(Advisory.class);

  private final AdviceMemory memory;
  private final AdviceFolder folder;

  Advisory(AdviceMemory memory, AdviceFolder folder) {
    this.memory = memory;
    this.folder = folder;
  }

  /**
   * Before a question: another Nimbus that led may have advised since, or an earlier run of this
   * one.
   */
  void recall(ClusterSnapshot snapshot) {
    folder
        .read(snapshot.topologies().stream().map(ClusterSnapshot.Topology::id).toList())
        .forEach(memory::adopt);
  }

  /**
   * After it, before its plan may be applied. A refusal says nothing of copies, so what was advised
   * stays.
   */
  void learn(Reply reply, ClusterSnapshot snapshot) {
    if (reply.refusal() != null) {
      return;
    }
    for (TopologyAdvice changed : memory.learn(reply.advice(), snapshot, reply.target())) {
      LOG.info("Ballast: {}", sentence(changed, reply.advice()));
    }
  }

  /** At the end of a planning round, when nobody waits any more. */
  void store() {
    folder.store(memory.all());
  }

  /** One topology's advice in a line, with the worst losses of the whole cluster. */
  static String sentence(TopologyAdvice advised, Advice advice) {
    List<TopologyAdvice.State> states = advised.states();
    long estimated = states.stream().filter(TopologyAdvice.State::estimated).count();
    long fewer = states.stream().filter(s -> s.copies().size() < advice.copies()).count();
    StringBuilder text = new StringBuilder("copies advised for ");
    text.append(advised.topology()).append(": ");
    text.append(counted(states.size(), "state", "states"));
    text.append(" with ").append(counted(advice.copies(), "copy", "copies")).append(" each");
    if (fewer > 0) {
      text.append(", ").append(fewer).append(" with fewer");
    }
    if (estimated > 0) {
      text.append(", ").append(counted(estimated, "size", "sizes")).append(" estimated");
    }
    loss(text, "node", advice.nodeLoss());
    loss(text, "rack", advice.rackLoss());
    return text.toString();
  }

  private static String counted(long number, String one, String many) {
    return number + " " + (number == 1 ? one : many);
  }

  private static void loss(StringBuilder text, String what, Advice.Loss loss) {
    if (loss != null) {
      text.append(
          String.format(
              Locale.ROOT,
              "; the loss of a %s leaves one at %.3f at worst, no copies anywhere make it less than"
                  + " %.3f",
              what,
              loss.worst(),
              loss.lowerBound()));
    }
  }
}
