package io.ballast.storm.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final long MS = 1_000_000L;

  @Test
  void nothingIsDueBeforeThereIsAnOrder() {
    assertFalse(new Schedule(0, 1).due(Long.MAX_VALUE));
  }

  @Test
  void tasksEmitInTurn() {
    Schedule second = new Schedule(1, 2);
    second.follow(new Order(1, 100), 0);
    assertFalse(second.due(10 * MS - 1));
    assertTrue(second.due(10 * MS));
    assertEquals(10 * MS, second.take(10 * MS));
    assertEquals(30 * MS, second.take(30 * MS));
  }

  @Test
  void whoIsHeldUpOwesWhatWasDueMeanwhileAtTheInstantsItWasDue() {
    Schedule schedule = new Schedule(0, 1);
    schedule.follow(new Order(1, 100), 0);
    long late = 35 * MS;
    for (long due = 0; due <= 30 * MS; due += 10 * MS) {
      assertTrue(schedule.due(late));
      assertEquals(due, schedule.take(late));
    }
    assertFalse(schedule.due(late));
  }

  @Test
  void anotherOrderForgivesWhatIsOwedAndTheSameOneChangesNothing() {
    Schedule schedule = new Schedule(0, 1);
    schedule.follow(new Order(1, 100), 0);
    schedule.follow(new Order(1, 100), 500 * MS);
    assertEquals(0, schedule.take(500 * MS));
    schedule.follow(new Order(2, 10), 500 * MS);
    assertEquals(500 * MS, schedule.take(600 * MS));
    assertEquals(600 * MS, schedule.take(600 * MS));
    assertFalse(schedule.due(600 * MS));
  }

  @Test
  void noRateIsNeverDueAndAnInfiniteOneAlwaysIs() {
    Schedule schedule = new Schedule(0, 4);
    schedule.follow(new Order(1, 0), 0);
    assertFalse(schedule.due(Long.MAX_VALUE));
    schedule.follow(new Order(2, Double.POSITIVE_INFINITY), 5);
    assertTrue(schedule.due(7));
    assertEquals(7, schedule.take(7));
    assertTrue(schedule.due(7));
  }
}
