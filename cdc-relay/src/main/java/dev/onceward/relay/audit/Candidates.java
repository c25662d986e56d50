package dev.onceward.relay.audit;

import java.util.Arrays;
import java.util.BitSet;
import java.util.UUID;

/**
 * Rows that may be missing in Kafka, in the order of the table, about 32 bytes each; what turns out
 * to be delivered is struck. Each row is added once. Not thread-safe.
 */
final class Candidates {
  private static final int FIRST_ROOM = 64;

  /** Of each row the halves of its id and its transaction. */
  private long[] rows = new long[3 * FIRST_ROOM];

  /** By the hash of the id: the row's place plus one. */
  private int[] places = new int[2 * FIRST_ROOM];

  private final BitSet struck = new BitSet();
  private int size;
  private int struckCount;

  int size() {
    return size;
  }

  /** How many are not struck. */
  int left() {
    return size - struckCount;
  }

  void add(UUID id, long xid) {
    if (3 * (size + 1) > rows.length) {
      rows = Arrays.copyOf(rows, 3 * (size + size / 2));
    }
    if (4 * (size + 1) > 3 * places.length) {
      places = new int[2 * places.length];
      for (int row = 0; row < size; row++) {
        place(row);
      }
    }
    rows[3 * size] = id.getMostSignificantBits();
    rows[3 * size + 1] = id.getLeastSignificantBits();
    rows[3 * size + 2] = xid;
    place(size);
    size++;
  }

  private void place(int row) {
    int at = slot(rows[3 * row], rows[3 * row + 1]);
    places[at] = row + 1;
  }

  /** Where this id is, or would be. */
  private int slot(long high, long low) {
    long mixed = (high ^ Long.rotateLeft(low, 31)) * 0x9E3779B97F4A7C15L;
    int at = (int) (mixed >>> 32) & (places.length - 1);
    while (places[at] != 0) {
      int row = places[at] - 1;
      if (rows[3 * row] == high && rows[3 * row + 1] == low) {
        return at;
      }
      at = (at + 1) & (places.length - 1);
    }
    return at;
  }

  /** The row of this id that is not struck, or -1. */
  int find(UUID id) {
    int row = places[slot(id.getMostSignificantBits(), id.getLeastSignificantBits())] - 1;
    return row < 0 || struck.get(row) ? -1 : row;
  }

  void strike(int row) {
    if (!struck.get(row)) {
      struck.set(row);
      struckCount++;
    }
  }

  /** The first row from there that is not struck; {@link #size} if there is none. */
  int next(int from) {
    return struck.nextClearBit(from);
  }

  UUID id(int row) {
    return new UUID(rows[3 * row], rows[3 * row + 1]);
  }

  long xid(int row) {
    return rows[3 * row + 2];
  }

  /** Whether a row that is not struck is of one of these transactions. */
  boolean anyWithin(long lowestXid, long highestXid) {
    for (int row = next(0); row < size; row = next(row + 1)) {
      if (xid(row) >= lowestXid && xid(row) <= highestXid) {
        return true;
      }
    }
    return false;
  }

  void clear() {
    Arrays.fill(places, 0);
    struck.clear();
    size = 0;
    struckCount = 0;
  }
}
