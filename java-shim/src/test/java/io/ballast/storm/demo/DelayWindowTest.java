package io.ballast.storm.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The topology's work is a real statistic. */
class DelayWindowTest {
  @Test
  void theBootstrapFindsMeanAndStandardError() {
    DelayWindow window = new DelayWindow(20_000, 42);
    DelayWindow.Estimate estimate = null;
    for (int flight = 0; flight < DelayWindow.SIZE; flight++) {
      estimate = window.add(flight % 2 == 0 ? 0 : 20);
    }
    // Half 0, half 20: mean 10, standard deviation 10, so 10 / sqrt(64) for the mean.
    assertEquals(10.0, estimate.mean(), 0.1);
    assertEquals(1.25, estimate.error(), 0.05);
    assertEquals(estimate.mean() - 1.96 * estimate.error(), estimate.surelyAbove(), 1e-12);
  }

  @Test
  void oldDelaysAreForgotten() {
    DelayWindow window = new DelayWindow(100, 1);
    window.add(10_000);
    DelayWindow.Estimate estimate = null;
    for (int flight = 0; flight < DelayWindow.SIZE; flight++) {
      estimate = window.add(5);
    }
    assertEquals(new DelayWindow.Estimate(5, 0), estimate);
  }

  @Test
  void aWindowThatFillsIsAsMuchWorkAsAFullOne() {
    assertEquals(100, DelayWindow.samples(100, DelayWindow.SIZE));
    assertEquals(800, DelayWindow.samples(100, 8));
    assertEquals(1600, DelayWindow.samples(100, 4));
    assertEquals(1600, DelayWindow.samples(100, 1));
  }

  @Test
  void theMonthIsWhole() {
    // 27,004 flights left, 606 of them never arrived.
    assertEquals(26_398, FlightMonth.load().size());
    assertTrue(FlightMonth.load().stream().noneMatch(flight -> flight.tail().isEmpty()));
  }
}
