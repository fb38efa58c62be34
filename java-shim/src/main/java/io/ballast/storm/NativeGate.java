package io.ballast.storm;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The one way to the engine. It opens it, shakes hands, keeps count of failures ({@link Health}),
 * and gives calls made under Nimbus's lock a deadline on a thread of their own: a call that hangs
 * in native code cannot be interrupted, so its thread is left behind, and no second one is risked
 * until it has returned.
 */
final class NativeGate implements AutoCloseable {
  /** Milliseconds that opening and the handshake may take; a library may lie on a slow disk. */
  private static final long OPEN_MS = 15_000;

  private final Engine.Source source;
  private final Health health;
  private final ThreadPoolExecutor thread;
  private volatile Engine engine;
  private volatile FutureTask<?> unfinished;

  NativeGate(Engine.Source source, Health health) {
    this.source = source;
    this.health = health;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Threads.named("ballast-native"));
    this.thread.allowCoreThreadTimeOut(true);
  }

  /** The engine is open and may be asked now. */
  boolean ready() {
    FutureTask<?> busy = unfinished;
    return engine != null && health.allows() && (busy == null || busy.isDone());
  }

  /** Why it is not ready. */
  String reason() {
    FutureTask<?> busy = unfinished;
    return busy != null && !busy.isDone() ? "a call has not returned yet" : health.reason();
  }

  /**
   * Opens the engine and shakes hands, unless that is done or was tried a short time ago.
   *
   * @return the engine's welcome, or null
   */
  synchronized Welcome open(BallastConf conf) {
    if (engine != null || !health.allows()) {
      return null;
    }
    try {
      byte[] question = Welcome.question(conf.settings());
      return withDeadline(
          () -> {
            Engine opened = source.open();
            Welcome welcome = Welcome.read(opened.hello(question));
            opened.probe();
            engine = opened;
            health.succeeded();
            return welcome;
          },
          OPEN_MS);
    } catch (Throwable failed) {
      engine = null;
      health.absent(Threads.say(failed));
      return null;
    }
  }

  /**
   * Asks on the caller's own thread, for as long as it takes.
   *
   * @param witness sees the answer's bytes before anybody reads them
   */
  Reply ask(byte[] request, long generation, Consumer<byte[]> witness) {
    Engine asked = opened();
    return counted(
        () -> {
          byte[] answer = asked.answer(request);
          if (answer != null) {
            witness.accept(answer);
          }
          return Reply.read(answer, generation);
        });
  }

  /**
   * Asks with a deadline.
   *
   * @param objection what is wrong with a reply that can be read: such an answer is a failure too
   */
  Reply ask(
      byte[] request,
      long generation,
      long timeoutMs,
      Function<Reply, Optional<String>> objection) {
    Engine asked = opened();
    return counted(
        () -> {
          Reply reply =
              Reply.read(withDeadline(() -> asked.answer(request), timeoutMs), generation);
          objection
              .apply(reply)
              .ifPresent(
                  wrong -> {
                    throw new NativeFailure("answer " + reply.id() + " is impossible: " + wrong);
                  });
          return reply;
        });
  }

  private Engine opened() {
    Engine opened = engine;
    if (opened == null) {
      throw new NativeFailure(health.reason());
    }
    return opened;
  }

  private Reply counted(Supplier<Reply> call) {
    try {
      Reply reply = call.get();
      health.succeeded();
      return reply;
    } catch (Throwable failed) {
      String why = Threads.say(failed);
      health.failed(why);
      throw failed instanceof NativeFailure known ? known : new NativeFailure(why, failed);
    }
  }

  private <T> T withDeadline(Supplier<T> call, long timeoutMs) {
    FutureTask<?> before = unfinished;
    if (before != null && !before.isDone()) {
      throw new NativeFailure("an earlier call has not returned yet");
    }
    FutureTask<T> task = new FutureTask<>(call::get);
    unfinished = task;
    try {
      thread.execute(task);
      return task.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new NativeFailure("no answer within " + timeoutMs + " ms", late);
    } catch (ExecutionException inside) {
      Throwable cause = inside.getCause();
      throw cause instanceof NativeFailure known
          ? known
          : new NativeFailure(Threads.say(cause), cause);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new NativeFailure("interrupted while waiting for the engine", stopped);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
