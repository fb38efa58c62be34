package io.ballast.hook;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/**
 * Exact counts for a limited number of target tasks: open addressing with linear probing, at most
 * half full, entries are never removed. One thread adds, another may read at any time.
 */
final class PairTable {
  private final int capacity;
  private final int mask;
  private final AtomicIntegerArray keys;
  private final AtomicLongArray tuples;
  private final AtomicLongArray bytes;

  /** What the reader has taken already. */
  private final long[] takenTuples;

  private final long[] takenBytes;
  private int used;

  /**
   * @param capacity targets it can hold
   */
  PairTable(int capacity) {
    this.capacity = capacity;
    int slots = Integer.highestOneBit(Math.max(4, 4 * capacity - 1));
    mask = slots - 1;
    keys = new AtomicIntegerArray(slots);
    tuples = new AtomicLongArray(slots);
    bytes = new AtomicLongArray(slots);
    takenTuples = new long[slots];
    takenBytes = new long[slots];
  }

  /**
   * Counts a tuple.
   *
   * @return false: the target is not held, and there is no room for it
   */
  boolean add(int target, long size) {
    int slot = slot(target);
    if (keys.getPlain(slot) == 0 && !take(slot, target)) {
      return false;
    }
    tuples.lazySet(slot, tuples.getPlain(slot) + 1);
    bytes.lazySet(slot, bytes.getPlain(slot) + size);
    return true;
  }

  /** Holds a target from now on; before the table is shared. */
  void hold(int target) {
    int slot = slot(target);
    if (keys.getPlain(slot) == 0) {
      take(slot, target);
    }
  }

  private boolean take(int slot, int target) {
    if (used == capacity) {
      return false;
    }
    used++;
    keys.lazySet(slot, target + 1);
    return true;
  }

  private int slot(int target) {
    // Fibonacci hashing: neighboring task ids, the usual case, fall far apart.
    int slot = (target * 0x9E3779B9 >>> 7) & mask;
    while (true) {
      int key = keys.getPlain(slot);
      if (key == target + 1 || key == 0) {
        return slot;
      }
      slot = slot + 1 & mask;
    }
  }

  int capacity() {
    return capacity;
  }

  /** What one target got since it was taken last. */
  interface Reader {
    void take(int target, long tuples, long bytes);
  }

  /** Takes what came since the last call, of every target held. */
  void take(Reader reader) {
    for (int slot = 0; slot <= mask; slot++) {
      int key = keys.get(slot);
      if (key != 0) {
        long tuplesNow = tuples.get(slot);
        long bytesNow = bytes.get(slot);
        reader.take(key - 1, tuplesNow - takenTuples[slot], bytesNow - takenBytes[slot]);
        takenTuples[slot] = tuplesNow;
        takenBytes[slot] = bytesNow;
      }
    }
  }

  /** Memory of one table in bytes, told for tests of the bound. */
  void memory(LongConsumer bytesUsed) {
    bytesUsed.accept((mask + 1L) * (4 + 4 * 8));
  }
}
