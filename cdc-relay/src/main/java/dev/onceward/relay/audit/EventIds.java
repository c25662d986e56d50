package dev.onceward.relay.audit;

import java.util.UUID;

/**
 * A set of event ids in one array, 16 bytes an id and its share of free room: a relay remembers
 * hundreds of thousands. Event ids are of version 7, so none is all zeros. Not thread-safe.
 */
final class EventIds {
  private long[] slots;
  private int size;

  EventIds() {
    slots = new long[4];
  }

  int size() {
    return size;
  }

  boolean contains(UUID id) {
    int at = find(slots, id.getMostSignificantBits(), id.getLeastSignificantBits());
    return slots[at] != 0;
  }

  /** Whether it was new. */
  boolean add(UUID id) {
    int at = find(slots, id.getMostSignificantBits(), id.getLeastSignificantBits());
    if (slots[at] != 0) {
      return false;
    }
    if (4 * (size + 1) > 3 * (slots.length / 2)) {
      grow();
      at = find(slots, id.getMostSignificantBits(), id.getLeastSignificantBits());
    }
    slots[at] = id.getMostSignificantBits();
    slots[at + 1] = id.getLeastSignificantBits();
    size++;
    return true;
  }

  private void grow() {
    long[] larger = new long[slots.length * 2];
    for (int i = 0; i < slots.length; i += 2) {
      if (slots[i] != 0) {
        int at = find(larger, slots[i], slots[i + 1]);
        larger[at] = slots[i];
        larger[at + 1] = slots[i + 1];
      }
    }
    slots = larger;
  }

  private static int find(long[] slots, long high, long low) {
    int pairs = slots.length / 2;
    long mixed = (high ^ Long.rotateLeft(low, 31)) * 0x9E3779B97F4A7C15L;
    int at = (int) (mixed >>> 32) & (pairs - 1);
    while (slots[2 * at] != 0 && (slots[2 * at] != high || slots[2 * at + 1] != low)) {
      at = (at + 1) & (pairs - 1);
    }
    return 2 * at;
  }
}
