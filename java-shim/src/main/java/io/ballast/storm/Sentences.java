package io.ballast.storm;

import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Replies in the words of a log line. */
final class Sentences {
  private Sentences() {}

  /** What a plan does, what it costs and what it gains. */
  static String plan(Reply reply) {
    StringBuilder text = new StringBuilder(reply.id());
    text.append(": ").append(counted(reply.moves()));
    if (!Double.isNaN(reply.distanceBefore()) && !Double.isNaN(reply.distanceAfter())) {
      text.append(
          String.format(
              Locale.ROOT,
              ", load distance %.3f to %.3f",
              reply.distanceBefore(),
              reply.distanceAfter()));
    }
    return text.append(", ").append(reply.restarts()).append(" worker restarts").toString();
  }

  /** What a plan does to one topology, with the first reason. */
  static String moves(Reply reply, String topologyId) {
    List<Reply.Move> own =
        reply.moves().stream().filter(m -> m.topology().equals(topologyId)).toList();
    String because = own.isEmpty() ? "" : " because " + own.get(0).because();
    return counted(own) + because;
  }

  private static String counted(List<Reply.Move> moves) {
    if (moves.isEmpty()) {
      return "nothing";
    }
    return moves.stream()
        .collect(Collectors.groupingBy(Reply.Move::kind, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(kind -> kind.getValue() + " × " + kind.getKey())
        .collect(Collectors.joining(", "));
  }

  /** Why nothing is moved: the notes that say so, or all of them. */
  static String reason(Reply reply) {
    if (reply.notes().isEmpty()) {
      return reply.verdict();
    }
    return reply.notes().stream().map(Reply.Note::toString).collect(Collectors.joining(", "));
  }

  /** The codes of {@link #reason}: what must change for it to be told again. */
  static String codes(Reply reply) {
    return reply.notes().stream()
        .map(Reply.Note::code)
        .distinct()
        .collect(Collectors.joining(",", reply.verdict() + " ", ""));
  }
}
