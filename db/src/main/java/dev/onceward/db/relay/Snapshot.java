package dev.onceward.db.relay;

import java.util.Arrays;

/**
 * Which transactions were finished at one moment: a {@code pg_snapshot} (PostgreSQL manual,
 * "Transaction ID and Snapshot Information Functions"). Transaction ids are 64 bits wide, with
 * their epoch. Immutable.
 */
public final class Snapshot {
  /** Sees nothing: the moment before the first transaction. */
  public static final Snapshot NOTHING = new Snapshot(1, 1, new long[0]);

  private static final long EPOCH = 1L << 32;

  private final long xmin;
  private final long xmax;
  private final long[] running;

  private Snapshot(long xmin, long xmax, long[] running) {
    this.xmin = xmin;
    this.xmax = xmax;
    this.running = running;
  }

  /**
   * Reads PostgreSQL's text form {@code xmin:xmax:running,running,…}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static Snapshot parse(String text) {
    String[] parts = text.split(":", -1);
    try {
      if (parts.length == 3) {
        long[] running =
            parts[2].isEmpty()
                ? new long[0]
                : Arrays.stream(parts[2].split(",", -1)).mapToLong(Long::parseLong).toArray();
        return new Snapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), running);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no snapshot", e);
    }
    throw new IllegalArgumentException("\"" + text + "\" is no snapshot");
  }

  /** Whether the transaction was finished, be it committed or rolled back. */
  public boolean sees(long xid) {
    return xid < xmin || (xid < xmax && Arrays.binarySearch(running, xid) < 0);
  }

  /** The oldest transaction that was running, or {@link #xmax} if none was. */
  public long xmin() {
    return xmin;
  }

  /** The first transaction id that had not been given out. */
  public long xmax() {
    return xmax;
  }

  /** Those that were running, in ascending order. */
  public long[] running() {
    return running.clone();
  }

  /**
   * The full id of a transaction whose lower 32 bits are known and that lies less than 2³¹
   * transactions away from this snapshot; no older one can stand in the log.
   */
  public long widen(long lowerBits) {
    long candidate = (xmax & -EPOCH) | (lowerBits & (EPOCH - 1));
    if (candidate - xmax > EPOCH / 2) {
      return candidate - EPOCH;
    }
    return xmax - candidate > EPOCH / 2 ? candidate + EPOCH : candidate;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Snapshot that
        && xmin == that.xmin
        && xmax == that.xmax
        && Arrays.equals(running, that.running);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(new long[] {xmin, xmax, Arrays.hashCode(running)});
  }

  /** PostgreSQL's text form. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(xmin).append(':').append(xmax).append(':');
    for (int i = 0; i < running.length; i++) {
      text.append(i == 0 ? "" : ",").append(running[i]);
    }
    return text.toString();
  }
}
