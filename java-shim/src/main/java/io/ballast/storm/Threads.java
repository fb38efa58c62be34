package io.ballast.storm;

import java.util.concurrent.ThreadFactory;

/** Threads that never keep Nimbus alive, and the one way to put a Throwable into words. */
final class Threads {
  private Threads() {}

  static ThreadFactory named(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** What went wrong, in a line; the class too where the message alone would say nothing. */
  static String say(Throwable thrown) {
    boolean ours = thrown instanceof NativeFailure || thrown instanceof Round.Refused;
    if (ours && thrown.getMessage() != null) {
      return thrown.getMessage();
    }
    return thrown.toString();
  }
}
