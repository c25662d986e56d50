package dev.onceward.ops.audit;

/**
 * Compares the order of first records with the order of commits, aggregate by aggregate. Confined
 * to one thread.
 *
 * <p>Within a transaction the order is that of its commands. Between transactions it is that of
 * their commit times where the server keeps them ({@code track_commit_timestamp}); times closer
 * than {@link #SAME_TIME_MICROS} decide nothing, since a time is taken shortly before its place in
 * the log. Without commit times only transactions that came long after one another can be told
 * apart: transaction ids are given out at the first write, and may be committed the other way
 * round.
 */
final class AggregateOrder {
  /** A commit time is taken shortly before the commit's place in the log. */
  static final long SAME_TIME_MICROS = 10_000;

  /** For how long a transaction counts as perhaps still open after it wrote an event. */
  static final long OPEN_MILLIS = 10_000;

  private final OutboxPortion portion;

  /** Pairs of hash and row number + 1; open addressing. */
  private long[] keys = new long[16];

  private int[] rows = new int[16];
  private int used;

  AggregateOrder(OutboxPortion portion) {
    this.portion = portion;
  }

  /** How two records of one aggregate lie. */
  enum Order {
    RIGHT,
    WRONG,
    /** Nothing that is kept tells which was committed first. */
    UNKNOWN
  }

  /**
   * What was found.
   *
   * @param order of the two
   * @param earlierRow the row whose record came before; -1 if it is the first of its aggregate
   */
  record Compared(Order order, int earlierRow) {}

  /**
   * Takes the next first record of a partition.
   *
   * @param partition a number for topic and partition: only there is an order
   * @param row its row
   */
  Compared next(int partition, int row) {
    int at = find(portion.aggregate(row) + partition * 0x9E3779B97F4A7C15L);
    int latest = rows[at] - 1;
    Order order = latest < 0 ? Order.RIGHT : compare(latest, row);
    if (order == Order.RIGHT) {
      rows[at] = row + 1;
    }
    return new Compared(order, latest);
  }

  private Order compare(int before, int row) {
    long xidBefore = portion.xid(before);
    long xid = portion.xid(row);
    if (xid == xidBefore) {
      return portion.command(row) < portion.command(before) ? Order.WRONG : Order.RIGHT;
    }
    long committedBefore = portion.committedMicros(before);
    long committed = portion.committedMicros(row);
    if (committedBefore != 0 && committed != 0) {
      return committed >= committedBefore
          ? Order.RIGHT
          : committedBefore - committed > SAME_TIME_MICROS ? Order.WRONG : Order.UNKNOWN;
    }
    if (xid > xidBefore) {
      return Order.RIGHT;
    }
    return portion.startedMillis(before) - portion.idMillis(row) > OPEN_MILLIS
        ? Order.WRONG
        : Order.UNKNOWN;
  }

  private int find(long hash) {
    // Zero marks a free place, so that its own key is another number that no hash is likely to be.
    long key = hash == 0 ? 0x5851F42D4C957F2DL : hash;
    int at = place(keys, key);
    if (keys[at] == 0) {
      if (2 * (used + 1) > keys.length) {
        grow();
        at = place(keys, key);
      }
      keys[at] = key;
      used++;
    }
    return at;
  }

  private void grow() {
    long[] largerKeys = new long[keys.length * 2];
    int[] largerRows = new int[keys.length * 2];
    for (int i = 0; i < keys.length; i++) {
      if (keys[i] != 0) {
        int at = place(largerKeys, keys[i]);
        largerKeys[at] = keys[i];
        largerRows[at] = rows[i];
      }
    }
    keys = largerKeys;
    rows = largerRows;
  }

  private static int place(long[] keys, long key) {
    int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & (keys.length - 1);
    while (keys[at] != 0 && keys[at] != key) {
      at = (at + 1) & (keys.length - 1);
    }
    return at;
  }
}
