package io.ballast.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The worker's way to the leader, with a clock that only moves when told. */
class UplinkTest {
  private static final byte[] REPORT = {1, 2, 3};

  private final List<URI> asked = new ArrayList<>();
  private final List<Map<String, String>> headers = new ArrayList<>();
  private final List<Post.Answer> answers = new ArrayList<>();
  private Grant grant = new Grant(6630, 10.0, new byte[32]);
  private String leader = "n1";
  private int grants;
  private long now;

  private final Uplink uplink =
      new Uplink(
          "flights-3-1795998681",
          new Nimbuses() {
            @Override
            public Grant grant() {
              grants++;
              return grant;
            }

            @Override
            public String leader() {
              return leader;
            }
          },
          (to, sent, body) -> {
            asked.add(to);
            headers.add(sent);
            if (answers.isEmpty()) {
              throw new IOException("connection refused");
            }
            return answers.remove(0);
          },
          () -> now,
          () -> 0.5);

  private void answer(int status, String ticket) {
    answers.add(new Post.Answer(status, ticket));
  }

  private void pass(double secs) {
    now += (long) (secs * 1e9);
  }

  @Test
  void aWorkerNotKnownGetsATicketAndReportsUnderIt() {
    String ticket = "ab".repeat(16);
    answer(401, ticket);
    answer(204, null);
    answer(204, null);
    assertEquals(Uplink.Outcome.SENT, uplink.send(REPORT));
    assertEquals(Uplink.Outcome.SENT, uplink.send(REPORT));
    assertEquals(
        "http://n1:6630/ballast/telemetry/1/flights-3-1795998681", asked.get(0).toString());
    assertEquals(
        List.of(Uplink.NO_TICKET + " 1", ticket + " 1", ticket + " 2"),
        headers.stream().map(h -> h.get(Uplink.TICKET) + " " + h.get(Uplink.SEQUENCE)).toList());
    assertEquals(3, headers.stream().map(h -> h.get(Uplink.SIGNATURE)).distinct().count());
  }

  @Test
  void withoutAGrantNothingIsSentAndNimbusIsAskedSeldom() {
    grant = null;
    assertEquals(Uplink.Outcome.UNWANTED, uplink.send(REPORT));
    for (int i = 0; i < 29; i++) {
      pass(1);
      assertEquals(Uplink.Outcome.HELD, uplink.send(REPORT));
    }
    pass(2);
    grant = new Grant(6630, 1.0, new byte[32]);
    answer(204, null);
    assertEquals(Uplink.Outcome.SENT, uplink.send(REPORT));
    assertEquals(2, grants);
    assertEquals(1.0, uplink.periodSecs());
  }

  @Test
  void attemptsBecomeRarerWhileNimbusIsAway() {
    List<Double> attempts = new ArrayList<>();
    for (int second = 0; second < 3600; second++) {
      if (uplink.send(REPORT) == Uplink.Outcome.FAILED) {
        attempts.add((double) second);
      }
      pass(1);
    }
    List<Double> first = attempts.subList(0, 6);
    assertEquals(List.of(0.0, 10.0, 30.0, 70.0, 150.0, 310.0), first);
    double last = attempts.get(attempts.size() - 1) - attempts.get(attempts.size() - 2);
    assertEquals(300.0, last, "never more than five minutes apart");
    answer(204, null);
    pass(300);
    assertEquals(Uplink.Outcome.SENT, uplink.send(REPORT), "and it comes back");
    assertTrue(uplink.isReady());
  }

  @Test
  void anotherLeaderIsFollowed() {
    answer(204, null);
    assertEquals(Uplink.Outcome.SENT, uplink.send(REPORT));
    leader = "n2";
    answer(421, null);
    assertEquals(Uplink.Outcome.FAILED, uplink.send(REPORT));
    pass(10);
    answer(204, null);
    assertEquals(Uplink.Outcome.SENT, uplink.send(REPORT));
    assertEquals(List.of("n1", "n1", "n2"), asked.stream().map(URI::getHost).toList());
  }

  @Test
  void anotherSecretAndPortAreLearnedWhenNimbusRefuses() {
    answer(204, null);
    uplink.send(REPORT);
    grant = new Grant(7000, 10.0, "another secret of 32 bytes long!".getBytes());
    answer(403, null);
    assertEquals(Uplink.Outcome.FAILED, uplink.send(REPORT));
    pass(10);
    answer(204, null);
    assertEquals(Uplink.Outcome.SENT, uplink.send(REPORT));
    assertEquals(List.of(6630, 6630, 7000), asked.stream().map(URI::getPort).toList());
  }

  @Test
  void aSecretThatWasReplacedIsLearnedInTimeAnyway() {
    answer(204, null);
    uplink.send(REPORT);
    pass(301);
    answer(204, null);
    uplink.send(REPORT);
    assertEquals(2, grants);
  }
}
