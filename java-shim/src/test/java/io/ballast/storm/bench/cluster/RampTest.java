package io.ballast.storm.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RampTest {
  private static Flow flow(double ackedPerSec, long micros) {
    Latencies latencies = new Latencies();
    latencies.add(micros);
    return new Flow(6, ackedPerSec * 6, 0, latencies);
  }

  @Test
  void aRateIsHeldWith98PercentBackAndA99thPercentileUnderASecond() {
    assertTrue(Ramp.held(100, flow(98, 900_000)));
    assertFalse(Ramp.held(100, flow(97.9, 900_000)));
    assertFalse(Ramp.held(100, flow(100, 1_000_001)));
    assertFalse(Ramp.held(100, new Flow(6, 0, 0, new Latencies())));
  }

  /** Climbs where rates up to a limit are held, which it has to find to a tenth; steps taken. */
  private static int climb(Ramp ramp, double limit) {
    int steps = 0;
    while (!ramp.over()) {
      ramp.tried(ramp.rate() <= limit);
      steps++;
    }
    double found = ramp.sustainable().orElseThrow();
    assertTrue(found <= limit && found * Ramp.FACTOR > limit, found + " for " + limit);
    return steps;
  }

  @ParameterizedTest
  @ValueSource(doubles = {100, 110, 150, 199, 215, 400})
  void theHighestHeldRateIsFoundToATenth(double limit) {
    Ramp ramp = new Ramp(100, 0);
    int steps = climb(ramp, limit);
    assertTrue(steps <= 14, steps + " steps");
  }

  @ParameterizedTest
  @ValueSource(doubles = {100, 150, 215, 400})
  void aRampThatKnowsAnEarlierOneFindsTheSameInFewerSteps(double limit) {
    Ramp ramp = new Ramp(100, 215);
    int steps = climb(ramp, limit);
    assertTrue(limit != 215 || steps <= 6, steps + " steps");
    double found = ramp.sustainable().orElseThrow();
    assertEquals(100 * Math.pow(1.1, Math.round(Math.log(found / 100) / Math.log(1.1))), found);
  }

  @Test
  void oneStepThatIsNotHeldIsTriedAgain() {
    Ramp ramp = new Ramp(100, 0);
    ramp.tried(true);
    ramp.tried(false);
    assertEquals(121, ramp.rate(), 1e-9);
    ramp.tried(true);
    assertEquals(146.41, ramp.rate(), 1e-9);
  }

  @Test
  void twiceIsTooHighAndTheOneThatWasLeftOutIsTried() {
    Ramp ramp = new Ramp(100, 0);
    ramp.tried(true);
    ramp.tried(false);
    ramp.tried(false);
    assertEquals(110, ramp.rate(), 1e-9);
    assertFalse(ramp.over());
    ramp.tried(true);
    assertTrue(ramp.over());
    assertEquals(110, ramp.sustainable().orElseThrow(), 1e-9);
  }

  @Test
  void aRampThatBeginsTooHighBeginsAgainAtHalf() {
    Ramp ramp = new Ramp(100, 0);
    ramp.tried(false);
    ramp.tried(false);
    assertEquals(50, ramp.rate());
    ramp.tried(true);
    assertEquals(50, ramp.sustainable().orElseThrow());
  }

  @Test
  void whatHoldsNothingEndsToo() {
    Ramp ramp = new Ramp(100, 0);
    for (int step = 0; step < 40; step++) {
      assertFalse(ramp.over());
      ramp.tried(false);
    }
    assertTrue(ramp.over());
    assertTrue(ramp.sustainable().isEmpty());
  }
}
