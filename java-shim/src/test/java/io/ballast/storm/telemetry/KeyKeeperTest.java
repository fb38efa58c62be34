package io.ballast.storm.telemetry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The secrets of topologies, over leaders, rotations and lost stores. */
class KeyKeeperTest {
  private static final Map<String, Map<String, Object>> ONE = Map.of("t-1-1", Map.of());

  private final MemoryKeyStore store = new MemoryKeyStore();
  private long clock = 1_795_998_681;
  private final KeyKeeper keeper = keeper();

  private KeyKeeper keeper() {
    return new KeyKeeper(() -> store, () -> clock, 10.0, 24.0);
  }

  @Test
  void eachTopologyGetsASecretOfItsOwnAndLosesItWhenItGoes() {
    keeper.keep(Map.of("t-1-1", Map.of(), "u-2-2", Map.of()), 6630);
    byte[] one = keeper.of("t-1-1").secret();
    assertEquals(32, one.length);
    assertFalse(Arrays.equals(one, keeper.of("u-2-2").secret()));
    assertArrayEquals(one, Keys.read(store.data.get("t-1-1")).secret());
    keeper.keep(ONE, 6630);
    assertNull(keeper.of("u-2-2"));
    assertEquals(Set.of("t-1-1"), store.data.keySet());
    assertEquals(2, store.writes, "what is right is not written again");
  }

  @Test
  void anotherLeaderTakesOverTheSecretsAndSaysWhereItListens() {
    keeper.keep(ONE, 6630);
    KeyKeeper other = keeper();
    other.keep(ONE, 7000);
    assertArrayEquals(keeper.of("t-1-1").secret(), other.of("t-1-1").secret());
    assertTrue(
        new String(store.data.get("t-1-1"), StandardCharsets.UTF_8).contains("\nport 7000\n"));
  }

  @Test
  void aSecretIsReplacedInTimeAndTheOneBeforeGoesLater() {
    keeper.keep(ONE, 6630);
    byte[] first = keeper.of("t-1-1").secret();
    clock += 24 * 3600;
    keeper.keep(ONE, 6630);
    assertArrayEquals(first, keeper.of("t-1-1").secret());
    clock += 1;
    keeper.keep(ONE, 6630);
    assertFalse(Arrays.equals(first, keeper.of("t-1-1").secret()));
    assertArrayEquals(first, Keys.read(store.data.get("t-1-1")).previous());
    clock += KeyKeeper.PREVIOUS_SECS + 1;
    keeper.keep(ONE, 6630);
    assertNull(keeper.of("t-1-1").previous());
    assertNull(Keys.read(store.data.get("t-1-1")).previous());
  }

  @Test
  void aSecretMadeByAClockFarAheadIsReplaced() {
    clock += 1_000_000_000;
    keeper.keep(ONE, 6630);
    byte[] first = keeper.of("t-1-1").secret();
    clock -= 1_000_000_000;
    keeper.keep(ONE, 6630);
    assertFalse(Arrays.equals(first, keeper.of("t-1-1").secret()));
  }

  @Test
  void whoLostTheLeadReadsAgain() {
    keeper.keep(ONE, 6630);
    keeper.forget();
    assertNull(keeper.of("t-1-1"));
    Keys others = Keys.made(6630, 10.0, clock);
    store.data.put("t-1-1", others.text());
    keeper.keep(ONE, 6630);
    assertArrayEquals(others.secret(), keeper.of("t-1-1").secret());
  }

  @Test
  void whatIsNoGrantIsReplaced() {
    for (String text : new String[] {"", "ballast-telemetry 1\nsecret zz", "x\n\n\nport 1"}) {
      store.data.put("t-1-1", text.getBytes(StandardCharsets.UTF_8));
      keeper.forget();
      keeper.keep(ONE, 6630);
      assertNotNull(keeper.of("t-1-1"), text);
      assertArrayEquals(
          keeper.of("t-1-1").secret(), Keys.read(store.data.get("t-1-1")).secret(), text);
    }
  }

  @Test
  void aStoreThatFailsCostsNothingButNews() {
    keeper.keep(ONE, 6630);
    store.failing = true;
    keeper.keep(Map.of("t-1-1", Map.of(), "u-2-2", Map.of()), 6630);
    assertNotNull(keeper.of("t-1-1"));
    assertNull(keeper.of("u-2-2"));
    store.failing = false;
    keeper.keep(Map.of("t-1-1", Map.of(), "u-2-2", Map.of()), 6630);
    assertNotNull(keeper.of("u-2-2"));
  }
}
