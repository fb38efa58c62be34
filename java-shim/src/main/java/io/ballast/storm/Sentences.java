package io.ballast.storm;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Replies in the words of a log line. */
final class Sentences {
  /** Topologies, nodes or components that one line names. */
  private static final int NAMED = 3;

  /** Notes that end a round without a move; all others only add to one of these. */
  private static final Set<String> DECISIVE =
      Set.of(
          "frozen",
          "coverage-low",
          "not-settled",
          "below-floor",
          "balanced",
          "gain-too-small",
          "no-better-plan");

  /**
   * How single executors were weighed: for the record and the command line, too much for a line.
   */
  private static final Set<String> WEIGHING =
      Set.of(
          "load-mean",
          "load-requested",
          "load-assumed",
          "load-scaled",
          "load-shared",
          "load-warming",
          "state-estimated");

  /** What a plan costs that no figure of it tells: no line of a plan is without it. */
  private static final Set<String> WARNING = Set.of("state-lost");

  private Sentences() {}

  /**
   * What a plan does and to which topologies, what it costs, what it gains, and its first reason.
   */
  static String plan(Reply reply) {
    StringBuilder text = new StringBuilder(reply.id());
    text.append(": ").append(counted(reply.moves())).append(topologies(reply));
    if (!Double.isNaN(reply.distanceBefore()) && !Double.isNaN(reply.distanceAfter())) {
      text.append(
          String.format(
              Locale.ROOT,
              ", load distance %.3f to %.3f",
              reply.distanceBefore(),
              reply.distanceAfter()));
    }
    text.append(", ").append(reply.restarts()).append(" worker restart");
    if (reply.restarts() != 1) {
      text.append('s');
    }
    if (!reply.moves().isEmpty() && !reply.moves().get(0).because().isEmpty()) {
      text.append(", because ").append(reply.moves().get(0).because());
    }
    reply.notes().stream()
        .filter(note -> WARNING.contains(note.code()))
        .forEach(note -> text.append(", ").append(note));
    return text.toString();
  }

  private static String topologies(Reply reply) {
    List<String> all = reply.moves().stream().map(Reply.Move::topology).distinct().toList();
    if (all.isEmpty()) {
      return "";
    }
    return " of " + named(all);
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

  /** Why nothing is moved: what decided it, and then what else there is to know. */
  static String reason(Reply reply) {
    List<Reply.Note> notes = told(reply);
    if (notes.isEmpty()) {
      return reply.verdict();
    }
    return notes.stream().map(Reply.Note::toString).collect(Collectors.joining(", "));
  }

  /** The codes of {@link #reason}: what must change for it to be told again. */
  static String codes(Reply reply) {
    return told(reply).stream()
        .map(Reply.Note::code)
        .distinct()
        .collect(Collectors.joining(",", reply.verdict() + " ", ""));
  }

  /** Advice on nodes: what is to be done stands in the engine's own sentence. */
  static String scaling(Scaling scaling, boolean drains) {
    String drained =
        scaling.drain().isEmpty() || !drains ? "" : "drains " + named(scaling.drain()) + ", ";
    return "scaling " + scaling.verdict() + ": " + drained + scaling.because();
  }

  /** What of it must change for it to be told again: figures alone are no news. */
  static String scalingMatter(Scaling scaling) {
    return "scaling "
        + scaling.verdict()
        + " "
        + scaling.nodes()
        + new TreeSet<>(scaling.drain())
        + new TreeSet<>(scaling.keep());
  }

  /** Advice on executors. */
  static String parallelism(List<Scaling.Parallelism> advice) {
    return "executors: "
        + named(
            advice.stream()
                .map(
                    a ->
                        String.format(
                            Locale.ROOT,
                            "%d instead of %d for %s/%s (%s)",
                            a.advised(),
                            a.executors(),
                            a.topology(),
                            a.component(),
                            a.because()))
                .toList());
  }

  /** The components of it, and whether they should have more executors or fewer. */
  static String parallelismMatter(List<Scaling.Parallelism> advice) {
    return advice.stream()
        .map(
            a ->
                a.topology()
                    + "/"
                    + a.component()
                    + (a.advised() > a.executors() ? " more" : " fewer"))
        .collect(Collectors.joining(",", "executors ", ""));
  }

  private static String named(List<String> all) {
    String named = all.stream().limit(NAMED).collect(Collectors.joining(", "));
    return named + (all.size() > NAMED ? " and " + (all.size() - NAMED) + " more" : "");
  }

  private static List<Reply.Note> told(Reply reply) {
    return reply.notes().stream()
        .filter(note -> !WEIGHING.contains(note.code()))
        .sorted(Comparator.comparing(note -> !DECISIVE.contains(note.code())))
        .toList();
  }
}
