package io.ballast.storm.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LatenciesTest {
  @Test
  void aQuantileIsOffByASixteenthOfItselfAtMost() {
    for (long micros = 1; micros < 10_000_000_000L; micros = micros * 17 / 16 + 1) {
      Latencies one = new Latencies();
      one.add(micros);
      double told = one.quantileMs(0.5) * 1e3;
      assertTrue(told >= micros && told <= micros * 17.0 / 16, micros + " told as " + told);
    }
  }

  @Test
  void quantilesGoByRank() {
    Latencies latencies = new Latencies();
    for (int micros = 1; micros <= 31; micros++) {
      latencies.add(micros);
    }
    assertEquals(0.016, latencies.quantileMs(0.5));
    assertEquals(0.031, latencies.quantileMs(0.99));
    assertEquals(0.001, latencies.quantileMs(0));
  }

  @Test
  void oneOfAHundredIsNotYetThe99thPercentile() {
    Latencies latencies = new Latencies();
    for (int i = 0; i < 99; i++) {
      latencies.add(10);
    }
    latencies.add(5_000_000);
    assertEquals(0.010, latencies.quantileMs(0.99));
    latencies.add(5_000_000);
    assertTrue(latencies.quantileMs(0.99) > 4999);
  }

  @Test
  void nothingCountedHasNoQuantile() {
    assertTrue(Double.isNaN(new Latencies().quantileMs(0.5)));
  }

  @Test
  void textComesBackAndSumsUp() {
    Latencies latencies = new Latencies();
    latencies.add(7);
    latencies.add(123_456);
    latencies.add(123_456);
    Latencies read = Latencies.parse(latencies.toString());
    assertEquals(latencies.toString(), read.toString());
    read.add(latencies);
    read.add(Latencies.parse("-"));
    assertEquals(6, read.count());
    assertEquals("-", new Latencies().toString());
  }
}
