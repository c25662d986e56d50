package dev.onceward.relay.watermark;

import dev.onceward.db.relay.Snapshot;
import dev.onceward.relay.capture.LogicalMessage;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The watermarks of one term: emitted by the supervisor, brought back by the stream. Thread-safe.
 */
public final class Watermarks {
  /** The prefix of our messages, which the source lets through. */
  public static final String PREFIX = "onceward";

  /** Beyond so many on their way, which is ten minutes of an outage, no more are written. */
  private static final int MOST_PENDING = 600;

  private static final int NONCE_BYTES = 16;

  private static final String SNAPSHOT = "SELECT pg_current_snapshot()::text";
  private static final String EMIT = "SELECT pg_logical_emit_message(false, ?, ?)";
  private static final String EMIT_AND_FLUSH = "SELECT pg_logical_emit_message(false, ?, ?, true)";

  private final String nonce;
  private final TreeMap<Long, Pending> pending = new TreeMap<>();
  private long lastNumber;
  private Snapshot newest = Snapshot.NOTHING;

  private record Pending(Snapshot snapshot, Instant takenAt, long takenNanos) {}

  public Watermarks() {
    byte[] secret = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(secret);
    nonce = HexFormat.of().formatHex(secret);
  }

  /**
   * Takes a snapshot and sends it on its way.
   *
   * @param connection the term's, in autocommit: another session's server may be another one
   */
  public void emit(Connection connection) throws SQLException {
    Instant takenAt = Instant.now();
    long takenNanos = System.nanoTime();
    Snapshot snapshot = snapshot(connection);
    // Remembered first: the message may be back before the server's answer is.
    long number = remember(new Pending(snapshot, takenAt, takenNanos));
    boolean mayFlush = connection.getMetaData().getDatabaseMajorVersion() >= 17;
    try (PreparedStatement emit = connection.prepareStatement(mayFlush ? EMIT_AND_FLUSH : EMIT)) {
      emit.setString(1, PREFIX);
      emit.setString(2, nonce + number);
      emit.execute();
    }
  }

  /** The transactions that have finished by now. */
  public static Snapshot snapshot(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(SNAPSHOT);
        ResultSet row = query.executeQuery()) {
      row.next();
      return Snapshot.parse(row.getString(1));
    }
  }

  private synchronized long remember(Pending mark) {
    newest = mark.snapshot;
    pending.put(++lastNumber, mark);
    return lastNumber;
  }

  /** Whether so many are on their way that another would tell nothing new. */
  public synchronized boolean full() {
    return pending.size() >= MOST_PENDING;
  }

  /** The snapshot taken last. */
  public synchronized Snapshot newest() {
    return newest;
  }

  /** Of those on their way the snapshot that will be back first; if there are none, the last. */
  public synchronized Snapshot coming() {
    Map.Entry<Long, Pending> oldest = pending.firstEntry();
    return oldest == null ? newest : oldest.getValue().snapshot;
  }

  /**
   * The newest watermark among messages that have come back; it and all older ones are then
   * forgotten. Empty if none of them is this term's.
   */
  public synchronized Optional<Watermark> returned(List<LogicalMessage> messages) {
    Watermark latest = null;
    for (LogicalMessage message : messages) {
      Long number = numberOf(message.content());
      Pending mark = number == null ? null : pending.get(number);
      if (mark != null) {
        latest = new Watermark(mark.snapshot, message.lsn(), mark.takenAt);
        pending.headMap(number, true).clear();
      }
    }
    return Optional.ofNullable(latest);
  }

  private @Nullable Long numberOf(String content) {
    if (!content.startsWith(nonce)) {
      return null;
    }
    try {
      return Long.valueOf(content.substring(nonce.length()));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The age of the oldest one that has not come back; zero if all have. */
  public synchronized Duration lag() {
    Map.Entry<Long, Pending> oldest = pending.firstEntry();
    return oldest == null
        ? Duration.ZERO
        : Duration.ofNanos(System.nanoTime() - oldest.getValue().takenNanos);
  }
}
