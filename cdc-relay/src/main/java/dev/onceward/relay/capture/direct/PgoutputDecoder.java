package dev.onceward.relay.capture.direct;

import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.capture.LogicalMessage;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code pgoutput} messages of protocol version 1, one after the other, as the section
 * "Logical Replication Message Formats" of PostgreSQL's manual lays them out. Confined to one
 * thread.
 */
final class PgoutputDecoder {
  // The messages' first bytes.
  private static final byte BEGIN = 'B';
  private static final byte COMMIT = 'C';
  private static final byte RELATION = 'R';
  private static final byte INSERT = 'I';
  private static final byte MESSAGE = 'M';
  private static final byte ORIGIN = 'O';
  private static final byte TYPE = 'Y';
  private static final byte UPDATE = 'U';
  private static final byte DELETE = 'D';
  private static final byte TRUNCATE = 'T';

  private static final byte NEW_ROW = 'N';
  private static final int TRANSACTIONAL = 1;

  /** Whose messages are the relay's; the others are not its affair. */
  private static final String PREFIX = "onceward";

  /** What PostgreSQL counts microseconds from. */
  private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

  private final String table;
  private int relationId;
  private @Nullable OutboxRelation relation;
  private @Nullable Transaction transaction;

  private record Transaction(long xid, Instant committedAt) {}

  /**
   * A decoder at the beginning of a stream.
   *
   * @param table the outbox table with its schema
   */
  PgoutputDecoder(String table) {
    this.table = table;
  }

  /**
   * Reads one message.
   *
   * @param lsn where in the log it comes from
   * @return null if it is none that matters
   * @throws CaptureException if it is not understood
   */
  @Nullable Change decode(ByteBuffer message, long lsn) throws CaptureException {
    byte kind = message.get();
    return switch (kind) {
      case BEGIN -> begin(message);
      case INSERT -> insert(message, lsn);
      case COMMIT -> commit(message);
      case MESSAGE -> message(message);
      case RELATION -> relation(message);
      // An outbox row never changes; whoever changes one by hand publishes nothing.
      case ORIGIN, TYPE, UPDATE, DELETE, TRUNCATE -> null;
      default ->
          throw new CaptureException(
              "PostgreSQL has sent a message of the unknown kind " + (char) kind, null);
    };
  }

  private @Nullable Change begin(ByteBuffer message) {
    long unusedCommitLsn = message.getLong();
    Instant committedAt = EPOCH.plus(message.getLong(), ChronoUnit.MICROS);
    transaction = new Transaction(Integer.toUnsignedLong(message.getInt()), committedAt);
    return null;
  }

  private Change commit(ByteBuffer message) {
    transaction = null;
    byte unusedFlags = message.get();
    long unusedCommitLsn = message.getLong();
    return new Change.Committed(message.getLong());
  }

  /** Sent before the first row of a table, and again when the table has changed. */
  private @Nullable Change relation(ByteBuffer message) throws CaptureException {
    int id = message.getInt();
    String schema = ProtocolText.terminated(message);
    String name = ProtocolText.terminated(message);
    if (table.equals(schema + "." + name)) {
      byte unusedReplicaIdentity = message.get();
      relationId = id;
      relation = OutboxRelation.read(message);
    }
    return null;
  }

  private @Nullable Change insert(ByteBuffer message, long lsn) throws CaptureException {
    int id = message.getInt();
    OutboxRelation outbox = relation;
    Transaction within = transaction;
    if (outbox == null || id != relationId) {
      return null; // Of another table, which somebody has added to the publication.
    }
    if (within == null || message.get() != NEW_ROW) {
      throw new CaptureException("PostgreSQL has sent a row outside of a transaction", null);
    }
    return new Change.Inserted(
        new CapturedEvent(outbox.row(message), within.xid, lsn, within.committedAt));
  }

  /** A transactional one stands at its commit and not where it was written: none of ours. */
  private static @Nullable Change message(ByteBuffer message) {
    boolean transactional = (message.get() & TRANSACTIONAL) != 0;
    long messageLsn = message.getLong();
    String prefix = ProtocolText.terminated(message);
    if (transactional || !prefix.equals(PREFIX)) {
      return null;
    }
    int length = message.getInt();
    return new Change.Said(new LogicalMessage(ProtocolText.counted(message, length), messageLsn));
  }
}
