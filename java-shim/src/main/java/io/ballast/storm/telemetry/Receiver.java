package io.ballast.storm.telemetry;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The port that workers report to: the JDK's own HTTP server with {@value #THREADS} threads, at
 * most {@value #WAITING} requests that wait for them, and little patience with slow senders.
 */
final class Receiver implements AutoCloseable {
  static final int THREADS = 2;
  static final int WAITING = 512;

  /** Connections that wait to be accepted: many workers come at once after a change of leader. */
  private static final int BACKLOG = 256;

  private static final String PATIENCE_SECS = "10";
  private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

  private final HttpServer server;
  private final ThreadPoolExecutor pool;

  private Receiver(HttpServer server, ThreadPoolExecutor pool) {
    this.server = server;
    this.pool = pool;
  }

  /**
   * Opens the port.
   *
   * @param host address to listen on; empty: all
   * @param port 0: any that is free
   * @throws IOException if the port cannot be had
   */
  static Receiver open(String host, int port, Reception reception, Counts counts)
      throws IOException {
    // The server reads these once a process; nothing else in Nimbus uses it.
    for (String limit : new String[] {"maxReqTime", "maxRspTime"}) {
      String property = "sun.net.httpserver." + limit;
      if (System.getProperty(property) == null) {
        System.setProperty(property, PATIENCE_SECS);
      }
    }
    InetSocketAddress address =
        host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new IOException("the address " + host + " is not known");
    }
    HttpServer server = HttpServer.create(address, BACKLOG);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            60,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            task -> {
              Thread thread = new Thread(task, "ballast-telemetry");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    server.setExecutor(
        task -> {
          try {
            pool.execute(task);
          } catch (RejectedExecutionException full) {
            // Its connection is closed when the server loses patience with it.
            counts.dropped(Drop.OVERLOAD);
          }
        });
    server.createContext("/", exchange -> handle(exchange, reception));
    server.start();
    return new Receiver(server, pool);
  }

  private static void handle(HttpExchange exchange, Reception reception) {
    try (exchange) {
      Headers headers = exchange.getRequestHeaders();
      boolean post = exchange.getRequestMethod().equals("POST");
      Reception.Answer answer =
          reception.answer(
              new Reception.Request(
                  post ? exchange.getRequestURI().getRawPath() : null,
                  headers.getFirst("Ballast-Ticket"),
                  headers.getFirst("Ballast-Sequence"),
                  headers.getFirst("Ballast-Signature"),
                  length(headers.getFirst("Content-Length")),
                  exchange.getRequestBody()));
      if (answer.ticket() != null) {
        exchange.getResponseHeaders().set("Ballast-Ticket", answer.ticket());
      }
      exchange.sendResponseHeaders(answer.status(), -1);
    } catch (IOException cutOff) {
      LOG.debug("a report was cut off", cutOff);
    } catch (Throwable failed) {
      LOG.warn("Ballast could not take a report", failed);
    }
  }

  private static long length(String header) {
    try {
      return header == null ? 0 : Long.parseLong(header.trim());
    } catch (NumberFormatException nonsense) {
      return Long.MAX_VALUE;
    }
  }

  /** The port it listens on. */
  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    pool.shutdownNow();
  }
}
