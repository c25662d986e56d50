package dev.onceward.ops.audit;

import java.util.Arrays;
import java.util.UUID;

/**
 * Rows of the outbox in ascending order of their ids, 53 bytes each, and what was seen of each in
 * Kafka. Confined to one thread.
 */
final class OutboxPortion {
  /** Of one portion; it bounds the memory of an audit. */
  static final int MOST_ROWS = 500_000;

  /** The relay has proven the row to be delivered or parked. */
  static final int AUDITED = 1;

  /** Waits in {@code parked_events}. */
  static final int PARKED = 2;

  /** Has waited there for long. */
  static final int PARKED_LONG = 4;

  /** Stands there as a dead letter. */
  static final int DEAD_LETTER = 8;

  /** Was discarded by an operator. */
  static final int DISCARDED = 16;

  /** A record as the relay's stream sends it was seen. */
  static final int ORIGINAL = 32;

  /** A record of a repair or a replay was seen. */
  static final int SENT_AGAIN = 64;

  /** Belongs to the portion before, and is here for the order alone. */
  static final int CARRIED = 128;

  /** How many rows of the portion before are carried over. */
  static final int MOST_CARRIED = 100_000;

  private static final int WORDS = 6;

  private final int mostRows;
  private long[] words = new long[WORDS * 64];
  private int[] commands = new int[64];
  private byte[] marks = new byte[64];
  private int size;
  private int carried;

  /**
   * Makes an empty portion.
   *
   * @param mostRows without those that are carried over
   */
  OutboxPortion(int mostRows) {
    this.mostRows = mostRows;
  }

  /** Makes a portion that begins with the last rows of the one before. */
  OutboxPortion(int mostRows, OutboxPortion before) {
    this(mostRows);
    for (int row = Math.max(0, before.size - MOST_CARRIED); row < before.size; row++) {
      add(
          new Row(
              before.id(row),
              before.aggregate(row),
              before.xid(row),
              before.committedMicros(row),
              before.startedMillis(row),
              before.command(row),
              CARRIED));
    }
    carried = size;
  }

  /**
   * One row as it is read.
   *
   * @param id the event
   * @param aggregate a hash of workspace and aggregate
   * @param xid the writing transaction
   * @param committedMicros when it was committed, in microseconds since 1970; 0 if not known
   * @param startedMillis when it began, in milliseconds since 1970
   * @param command which command of its transaction wrote it
   * @param marks what the database says of it
   */
  record Row(
      UUID id,
      long aggregate,
      long xid,
      long committedMicros,
      long startedMillis,
      int command,
      int marks) {}

  /** Adds a row with a higher id than all before. */
  void add(Row row) {
    if (size == marks.length) {
      words = Arrays.copyOf(words, WORDS * size * 2);
      commands = Arrays.copyOf(commands, size * 2);
      marks = Arrays.copyOf(marks, size * 2);
    }
    int at = WORDS * size;
    words[at] = row.id.getMostSignificantBits();
    words[at + 1] = row.id.getLeastSignificantBits();
    words[at + 2] = row.aggregate;
    words[at + 3] = row.xid;
    words[at + 4] = row.committedMicros;
    words[at + 5] = row.startedMillis;
    commands[size] = row.command;
    marks[size] = (byte) row.marks;
    size++;
  }

  int size() {
    return size;
  }

  /** Whether more rows may follow. */
  boolean isFull() {
    return size - carried >= mostRows;
  }

  /** The number of the row of that id, or -1. */
  int find(UUID id) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(words[WORDS * middle], id.getMostSignificantBits());
      if (order == 0) {
        order = Long.compareUnsigned(words[WORDS * middle + 1], id.getLeastSignificantBits());
      }
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  UUID id(int row) {
    return new UUID(words[WORDS * row], words[WORDS * row + 1]);
  }

  /** The time inside the id, in milliseconds since 1970. */
  long idMillis(int row) {
    return words[WORDS * row] >>> 16;
  }

  long aggregate(int row) {
    return words[WORDS * row + 2];
  }

  long xid(int row) {
    return words[WORDS * row + 3];
  }

  long committedMicros(int row) {
    return words[WORDS * row + 4];
  }

  long startedMillis(int row) {
    return words[WORDS * row + 5];
  }

  int command(int row) {
    return commands[row];
  }

  boolean has(int row, int mark) {
    return (marks[row] & mark) != 0;
  }

  void mark(int row, int mark) {
    marks[row] |= (byte) mark;
  }
}
