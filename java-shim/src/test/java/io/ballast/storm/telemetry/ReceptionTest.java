package io.ballast.storm.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ballast.hook.Reports;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What Nimbus takes and what it drops, with a clock that only moves when told. */
class ReceptionTest {
  private static final String TOPOLOGY = "flights-3-1795998681";
  private static final String NO_TICKET = "0".repeat(32);

  private final Map<String, Keys> keys = new HashMap<>();
  private final Counts counts = new Counts();
  private boolean leading = true;
  private long now = 1_000_000_000_000L;
  private final Measurements measurements = new Measurements(() -> now, 300);
  private final Reception reception =
      new Reception(
          new Reception.Topologies() {
            @Override
            public boolean leading() {
              return leading;
            }

            @Override
            public Keys keys(String topology) {
              return keys.get(topology);
            }

            @Override
            public int taskMax(String topology) {
              return 30;
            }
          },
          measurements,
          counts,
          () -> now);
  private final byte[] report = packed(Reports.report("storm4", 6701, 22, 3, 890, 7));

  ReceptionTest() {
    keys.put(TOPOLOGY, Keys.made(6630, 10.0, 0));
  }

  private static byte[] packed(byte[] report) {
    try {
      return Reports.packed(report);
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Reception.Answer send(
      String topology, byte[] secret, String ticket, long sequence, byte[] body) throws Exception {
    byte[] signature = Reports.signature(secret, topology, ticket, sequence, body);
    return answer(topology, ticket, sequence, signature, body);
  }

  private Reception.Answer answer(
      String topology, String ticket, long sequence, byte[] signature, byte[] body)
      throws IOException {
    return reception.answer(
        new Reception.Request(
            Reception.PATH + topology,
            ticket,
            Long.toString(sequence),
            HexFormat.of().formatHex(signature),
            body.length,
            new ByteArrayInputStream(body)));
  }

  private Reception.Answer send(String ticket, long sequence) throws Exception {
    return send(TOPOLOGY, keys.get(TOPOLOGY).secret(), ticket, sequence, report);
  }

  private String ticket() throws Exception {
    Reception.Answer answer = send(NO_TICKET, 1);
    assertEquals(401, answer.status());
    return answer.ticket();
  }

  private void pass(double secs) {
    now += (long) (secs * 1e9);
  }

  private boolean measured() {
    return measurements.executor(TOPOLOGY, 22, 22, 60).isPresent();
  }

  @Test
  void aSignedReportUnderATicketIsTaken() throws Exception {
    String ticket = ticket();
    assertTrue(!measured(), "not before the ticket");
    assertEquals(204, send(ticket, 1).status());
    assertTrue(measured());
    pass(10);
    assertEquals(204, send(ticket, 2).status());
    assertEquals(2, counts.reports());
    assertEquals(1, counts.tickets());
    assertEquals(0, counts.dropped(), counts::toString);
  }

  @Test
  void aReplayIsDroppedAndCounted() throws Exception {
    String ticket = ticket();
    send(ticket, 5);
    pass(10);
    assertEquals(409, send(ticket, 5).status());
    assertEquals(409, send(ticket, 4).status());
    assertEquals(2, counts.of(Drop.REPLAYED));
    assertEquals(1, counts.reports());
  }

  /** Recorded under an earlier leader, or before the worker was forgotten. */
  @Test
  void aReplayUnderATicketOfSomebodyElseOnlyGetsATicketItCannotUse() throws Exception {
    String old = "12".repeat(16);
    byte[] signature = Reports.signature(keys.get(TOPOLOGY).secret(), TOPOLOGY, old, 9, report);
    Reception.Answer answer = answer(TOPOLOGY, old, 9, signature, report);
    assertEquals(401, answer.status());
    assertNotEquals(old, answer.ticket());
    assertEquals(403, answer(TOPOLOGY, answer.ticket(), 9, signature, report).status());
    assertEquals(1, counts.of(Drop.UNSIGNED));
    assertEquals(0, counts.reports());
  }

  @Test
  void aWrongSecretAForeignTopologyAndAnothersSecretAreDropped() throws Exception {
    String ticket = ticket();
    assertEquals(403, send(TOPOLOGY, new byte[32], ticket, 1, report).status());
    assertEquals(1, counts.of(Drop.UNSIGNED));
    assertEquals(403, send("gone-1-1", new byte[32], ticket, 1, report).status());
    assertEquals(1, counts.of(Drop.FOREIGN));
    keys.put("other-2-2", Keys.made(6630, 10.0, 0));
    assertEquals(403, send(TOPOLOGY, keys.get("other-2-2").secret(), ticket, 1, report).status());
    assertEquals(2, counts.of(Drop.UNSIGNED));
    // Signed for one topology, sent for the other.
    byte[] signature =
        Reports.signature(keys.get("other-2-2").secret(), "other-2-2", ticket, 1, report);
    assertEquals(403, answer(TOPOLOGY, ticket, 1, signature, report).status());
    assertEquals(3, counts.of(Drop.UNSIGNED));
    assertTrue(!measured());
  }

  @Test
  void aRotatedSecretIsTakenUntilThePreviousOneGoes() throws Exception {
    String ticket = ticket();
    byte[] before = keys.get(TOPOLOGY).secret();
    keys.put(TOPOLOGY, keys.get(TOPOLOGY).rotated(86_400));
    assertEquals(204, send(TOPOLOGY, before, ticket, 1, report).status());
    pass(10);
    assertEquals(204, send(ticket, 2).status(), "the new one under the same ticket");
    keys.put(TOPOLOGY, keys.get(TOPOLOGY).withoutPrevious());
    pass(10);
    assertEquals(403, send(TOPOLOGY, before, ticket, 3, report).status());
    assertEquals(1, counts.of(Drop.UNSIGNED));
  }

  @Test
  void aFloodIsDroppedAndCounted() throws Exception {
    String ticket = ticket();
    assertEquals(204, send(ticket, 1).status());
    for (int i = 2; i < 50; i++) {
      pass(0.01);
      assertEquals(429, send(ticket, i).status());
    }
    assertEquals(48, counts.of(Drop.FLOOD));
    pass(10);
    assertEquals(204, send(ticket, 50).status());
    assertEquals(2, counts.reports());
  }

  @Test
  void workersWithoutEndAreAFloodToo() throws Exception {
    int status = 401;
    for (int i = 0; i < 1000 && status == 401; i++) {
      status = send(NO_TICKET, 1).status();
    }
    assertEquals(429, status);
    // As many as the topology has tasks may come, and some more.
    assertTrue(counts.tickets() > 31 && counts.tickets() < 200, () -> "" + counts.tickets());
  }

  @Test
  void whoDoesNotLeadSaysSo() throws Exception {
    leading = false;
    assertEquals(421, send(NO_TICKET, 1).status());
    assertEquals(1, counts.of(Drop.NOT_LEADER));
  }

  @Test
  void garbageIsDropped() throws Exception {
    String ticket = ticket();
    byte[] secret = keys.get(TOPOLOGY).secret();
    assertEquals(400, send(TOPOLOGY, secret, ticket, 1, new byte[] {1, 2, 3}).status());
    pass(10);
    assertEquals(400, send(TOPOLOGY, secret, ticket, 2, packed("text".getBytes())).status());
    pass(10);
    // Task 31 of a topology whose last one is 30.
    byte[] beyond = packed(Reports.report("storm4", 6701, 29, 3, 890, 7));
    assertEquals(400, send(TOPOLOGY, secret, ticket, 3, beyond).status());
    assertEquals(3, counts.of(Drop.GARBAGE));
    for (String path : new String[] {null, "/", "/favicon.ico", Reception.PATH + "%zz"}) {
      assertEquals(
          400,
          reception
              .answer(
                  new Reception.Request(
                      path, ticket, "1", "0".repeat(64), 0, InputStream.nullInputStream()))
              .status());
    }
    for (String[] heads :
        new String[][] {
          {null, "1", "0".repeat(64)},
          {ticket, null, "0".repeat(64)},
          {ticket, "1", null},
          {ticket + "0", "1", "0".repeat(64)},
          {ticket, "-1", "0".repeat(64)},
          {ticket, "9".repeat(19), "0".repeat(64)},
          {ticket, "1", "g".repeat(64)}
        }) {
      assertEquals(
          400,
          reception
              .answer(
                  new Reception.Request(
                      Reception.PATH + TOPOLOGY,
                      heads[0],
                      heads[1],
                      heads[2],
                      0,
                      InputStream.nullInputStream()))
              .status());
    }
    assertEquals(14, counts.of(Drop.GARBAGE));
    assertTrue(!measured());
  }

  /** 64 MiB that pack into 64 KiB. */
  @Test
  void aBombIsNotUnpackedToItsEnd() throws Exception {
    String ticket = ticket();
    byte[] bomb = packed(new byte[64 << 20]);
    assertTrue(bomb.length < Reception.BODY_MAX);
    assertEquals(413, send(TOPOLOGY, keys.get(TOPOLOGY).secret(), ticket, 1, bomb).status());
    assertEquals(1, counts.of(Drop.TOO_LARGE));
  }

  @Test
  void aBodyWithoutEndIsReadToTheLimitAndNoFurther() throws Exception {
    long[] read = {0};
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            read[0]++;
            return 7;
          }

          @Override
          public int read(byte[] to, int at, int length) {
            read[0] += length;
            return length;
          }
        };
    Reception.Request request =
        new Reception.Request(
            Reception.PATH + TOPOLOGY, NO_TICKET, "1", "0".repeat(64), 0, endless);
    assertEquals(413, reception.answer(request).status());
    assertTrue(read[0] <= Reception.BODY_MAX + 1, () -> "read " + read[0]);
    Reception.Request honest =
        new Reception.Request(
            Reception.PATH + TOPOLOGY, NO_TICKET, "1", "0".repeat(64), 2 << 20, endless);
    long before = read[0];
    assertEquals(413, reception.answer(honest).status());
    assertEquals(before, read[0], "not read at all");
  }

  /** Any heads and any body: an answer, never an exception. */
  @Test
  void anyBytesSignedOrNotGetAnAnswer() throws Exception {
    Random random = new Random(5);
    byte[] secret = keys.get(TOPOLOGY).secret();
    String ticket = ticket();
    for (int i = 1; i < 3000; i++) {
      byte[] body = new byte[random.nextInt(300)];
      random.nextBytes(body);
      pass(10);
      Reception.Answer answer =
          send(TOPOLOGY, secret, ticket, i, random.nextBoolean() ? body : packed(body));
      assertEquals(400, answer.status());
    }
  }
}
