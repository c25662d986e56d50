package dev.onceward.ops.console.pipeline;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Counts what is new. Stateless; ids carry their time, so that every query runs by the key. */
final class RateStore {

  // An event's transaction may end a little after the time in its id.
  private static final String EVENTS =
      "SELECT count(*) FROM onceward.outbox_events WHERE id >= ? AND id < ?";

  private static final String ENDED =
      """
      SELECT count(*) FILTER (WHERE finished_at >= ? AND finished_at < ?),
        percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at)::float8),
        percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - created_at)::float8)
      FROM onceward.operations
      WHERE id >= ? AND finished_at >= ?
      """;

  private static final Duration YOUNG = Duration.ofMinutes(10);
  private static final Duration RECENT = Duration.ofSeconds(30);

  private RateStore() {}

  /** How many ended, and how long the newest took in seconds; null if none did. */
  record Ended(long count, @Nullable Double median, @Nullable Double p95) {}

  static long events(Connection connection, Instant from, Instant to) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(EVENTS)) {
      query.setObject(1, lowestIdAt(from));
      query.setObject(2, lowestIdAt(to));
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  static Ended ended(Connection connection, Instant from, Instant to) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(ENDED)) {
      query.setTimestamp(1, java.sql.Timestamp.from(from));
      query.setTimestamp(2, java.sql.Timestamp.from(to));
      query.setObject(3, lowestIdAt(to.minus(YOUNG)));
      query.setTimestamp(4, java.sql.Timestamp.from(to.minus(RECENT)));
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return new Ended(row.getLong(1), number(row, 2), number(row, 3));
      }
    }
  }

  private static @Nullable Double number(ResultSet row, int column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? null : value;
  }

  private static UUID lowestIdAt(Instant time) {
    return new UUID(time.toEpochMilli() << 16, 0);
  }
}
