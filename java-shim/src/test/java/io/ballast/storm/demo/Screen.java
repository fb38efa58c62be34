package io.ballast.storm.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * Shows the demo: on a terminal one picture that is drawn anew in its place, elsewhere a line each
 * time the demo turns to something else and the whole table when a figure is final.
 */
final class Screen {
  private final PrintStream out;
  private final boolean terminal;
  private final Table table;
  private int drawn;
  private String lastDoing = "";

  /**
   * @param terminal standard output is one
   * @param color may be used on it
   */
  Screen(PrintStream out, boolean terminal, boolean color) {
    this.out = out;
    this.terminal = terminal;
    this.table = new Table(terminal && color);
  }

  void show(View view) {
    if (terminal) {
      erase();
      List<String> lines = table.lines(view);
      out.println(status(view));
      lines.forEach(out::println);
      drawn = lines.size() + 1;
      out.flush();
    } else if (!view.doing().equals(lastDoing)) {
      out.println(status(view));
    }
    lastDoing = view.doing();
  }

  /** The last picture, which stays. */
  void conclude(View view) {
    erase();
    table.lines(view).forEach(out::println);
    view.plans()
        .forEach(
            plan -> {
              out.printf("plan %s of generation %d:%n", plan.id(), plan.generation());
              plan.moves().forEach(move -> out.println("  " + move));
            });
  }

  private void erase() {
    if (drawn > 0) {
      // Up to the first line of the picture, then clear to the end of the screen.
      out.print("\u001b[" + drawn + "A\u001b[J");
      drawn = 0;
    }
  }

  private static String status(View view) {
    return String.format(Locale.ROOT, "%4.0f s  %s", view.secs(), view.doing());
  }
}
