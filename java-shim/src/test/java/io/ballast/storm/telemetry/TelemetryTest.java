package io.ballast.storm.telemetry;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ballast.hook.Reports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nimbus's end over real HTTP, the hook's own senders at the other; clocks move when told. */
class TelemetryTest {
  private static final String ID = "flights 3-3-1795998681";
  private static final int WORKERS = 200;

  private final AtomicLong now = new AtomicLong(System.nanoTime());
  private final MemoryKeyStore store = new MemoryKeyStore();
  private final List<Telemetry> opened = new ArrayList<>();

  private Telemetry telemetry(int port) {
    Telemetry telemetry =
        new Telemetry(
            new Telemetry.Settings("localhost", port, 10.0, 24.0, 300.0), () -> store, now::get);
    opened.add(telemetry);
    telemetry.open();
    return telemetry;
  }

  private static Telemetry leads(Telemetry telemetry) {
    telemetry.round(Map.of(ID, new Telemetry.Known(Map.of(), 2 * WORKERS)));
    telemetry.step();
    return telemetry;
  }

  @AfterEach
  void close() {
    opened.forEach(Telemetry::close);
  }

  private Reports.Worker worker() {
    return new Reports.Worker(ID, () -> store.data.get(ID), now::get);
  }

  private void pass(double secs) {
    now.addAndGet((long) (secs * 1e9));
  }

  private static byte[] report(int worker) {
    return Reports.report("n" + worker, 6700, 2 * worker, 2, 890, 7);
  }

  @Test
  void twoHundredWorkersReportAtOnce() throws Exception {
    Telemetry nimbus = leads(telemetry(0));
    List<Reports.Worker> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(worker());
    }
    ExecutorService senders = Executors.newFixedThreadPool(WORKERS);
    try {
      for (int round = 1; round <= 2; round++) {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<String>> sent = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
          Reports.Worker worker = workers.get(i);
          byte[] report = report(i);
          Callable<String> send =
              () -> {
                start.await();
                return worker.send(report);
              };
          sent.add(senders.submit(send));
        }
        start.countDown();
        for (Future<String> outcome : sent) {
          assertEquals("SENT", outcome.get());
        }
        assertEquals((long) WORKERS * round, nimbus.counts().reports());
        pass(10);
      }
    } finally {
      senders.shutdownNow();
    }
    assertEquals(WORKERS, nimbus.counts().tickets());
    assertEquals(0, nimbus.counts().dropped(), nimbus.counts()::toString);
    assertEquals(WORKERS, nimbus.measurements().workers(ID, 60).size());
    assertEquals(
        0.089, nimbus.measurements().executor(ID, 398, 398, 60).orElseThrow().cores(), 1e-9);
  }

  @Test
  void aPortThatIsTakenCostsALineAndIsHadWhenItIsFree() throws Exception {
    Telemetry nimbus;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
      nimbus = leads(telemetry(taken.getLocalPort()));
      assertEquals(0, nimbus.port());
      assertTrue(store.data.isEmpty(), "workers are not told to report where nobody listens");
    }
    nimbus.step();
    assertTrue(nimbus.port() > 0);
    assertEquals("SENT", worker().send(report(0)));
  }

  @Test
  void aDeadNimbusIsLeftAloneAndAnotherOneFollowed() {
    Telemetry first = leads(telemetry(0));
    Reports.Worker worker = worker();
    assertEquals("SENT", worker.send(report(0)));
    first.close();
    pass(10);
    assertEquals("FAILED", worker.send(report(0)));
    assertEquals("HELD", worker.send(report(0)));
    Telemetry second = leads(telemetry(0));
    pass(10);
    assertEquals("SENT", worker.send(report(0)), "under a ticket of its own");
    assertEquals(1, second.counts().tickets());
    assertEquals(0, second.counts().dropped(), second.counts()::toString);
  }

  @Test
  void whoStopsSchedulingNoLongerLeads() {
    Telemetry nimbus = leads(telemetry(0));
    Reports.Worker worker = worker();
    assertEquals("SENT", worker.send(report(0)));
    pass(121);
    assertEquals("FAILED", worker.send(report(0)));
    assertEquals(1, nimbus.counts().of(Drop.NOT_LEADER));
    leads(nimbus);
    pass(20);
    assertEquals("SENT", worker.send(report(0)));
  }

  @Test
  void aTopologyThatIsGoneIsForeign() {
    Telemetry nimbus = leads(telemetry(0));
    byte[] grant = store.data.get(ID);
    nimbus.round(Map.of());
    nimbus.step();
    assertFalse(store.data.containsKey(ID));
    assertEquals("FAILED", new Reports.Worker(ID, () -> grant, now::get).send(report(0)));
    assertEquals(1, nimbus.counts().of(Drop.FOREIGN));
    assertEquals("1 dropped: 1 foreign", nimbus.counts().toString());
    assertEquals(1, nimbus.counts().dropped("foreign"));
  }

  @Test
  void aNewSecretIsLearned() {
    Telemetry nimbus = leads(telemetry(0));
    Reports.Worker worker = worker();
    assertEquals("SENT", worker.send(report(0)));
    // As if the grant had been deleted and made anew.
    store.data.put(ID, Keys.made(nimbus.port(), 10.0, 0).text());
    leads(nimbus);
    pass(10);
    assertEquals("FAILED", worker.send(report(0)));
    assertEquals(1, nimbus.counts().of(Drop.UNSIGNED));
    pass(10);
    assertEquals("SENT", worker.send(report(0)));
  }

  /** Senders that promise a body and do not send it, more of them than there are threads. */
  @Test
  void slowSendersAreCutOff() throws Exception {
    Telemetry nimbus = leads(telemetry(0));
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * Receiver.THREADS; i++) {
        Socket socket = new Socket("localhost", nimbus.port());
        slow.add(socket);
        String head =
            "POST /ballast/telemetry/1/flights%203-3-1795998681 HTTP/1.1\r\nHost: n\r\n"
                + "Ballast-Ticket: "
                + "0".repeat(32)
                + "\r\nBallast-Sequence: 1\r\nBallast-Signature: "
                + "0".repeat(64)
                + "\r\nContent-Length: 1000\r\n\r\nabc";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      }
      Reports.Worker worker = worker();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                pass(600);
                leads(nimbus);
                return worker.send(report(0)).equals("SENT");
              });
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void whatIsNoRequestIsAnsweredOrCutOffAndTheNextOneIsTaken() throws IOException {
    Telemetry nimbus = leads(telemetry(0));
    for (String text :
        List.of(
            "GET / HTTP/1.1\r\nHost: n\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: n\r\nContent-Length: nonsense\r\n\r\n",
            "\u0000\u0001\u0002\r\n\r\n",
            "POST /ballast/telemetry/1/x HTTP/1.1\r\nHost: n\r\nContent-Length: 3\r\n\r\nabc")) {
      try (Socket socket = new Socket("localhost", nimbus.port())) {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 4"), answer);
      }
    }
    assertTrue(nimbus.counts().of(Drop.GARBAGE) >= 2, nimbus.counts()::toString);
    assertEquals("SENT", worker().send(report(0)));
  }
}
