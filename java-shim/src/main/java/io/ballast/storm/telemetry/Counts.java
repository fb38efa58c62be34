package io.ballast.storm.telemetry;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLongArray;

/** Reports taken, reports dropped for each reason, tickets handed out. */
public final class Counts {
  private final AtomicLongArray dropped = new AtomicLongArray(Drop.values().length);
  private final AtomicLongArray others = new AtomicLongArray(2);

  void taken() {
    others.incrementAndGet(0);
  }

  void ticketed() {
    others.incrementAndGet(1);
  }

  void dropped(Drop why) {
    dropped.incrementAndGet(why.ordinal());
  }

  /** Reports that were taken. */
  public long reports() {
    return others.get(0);
  }

  /** Workers that were not known and got a ticket. */
  public long tickets() {
    return others.get(1);
  }

  long of(Drop why) {
    return dropped.get(why.ordinal());
  }

  /** Reports dropped, for whatever reason. */
  public long dropped() {
    long sum = 0;
    for (int i = 0; i < dropped.length(); i++) {
      sum += dropped.get(i);
    }
    return sum;
  }

  /** Words for the reasons. */
  public static List<String> reasons() {
    return Arrays.stream(Drop.values()).map(Drop::word).toList();
  }

  /** Reports dropped for one of the {@link #reasons}. */
  public long dropped(String reason) {
    return of(Drop.valueOf(reason.toUpperCase(Locale.ROOT).replace('-', '_')));
  }

  /** For instance {@code 12 dropped: 10 foreign, 2 replayed}. */
  @Override
  public String toString() {
    StringJoiner reasons = new StringJoiner(", ", ": ", "").setEmptyValue("");
    for (Drop why : Drop.values()) {
      if (of(why) > 0) {
        reasons.add(of(why) + " " + why.word());
      }
    }
    return dropped() + " dropped" + reasons;
  }
}
