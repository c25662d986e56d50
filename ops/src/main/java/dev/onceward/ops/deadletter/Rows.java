package dev.onceward.ops.deadletter;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the queries of this package have in common. Stateless. */
final class Rows {

  /** So many rows at a time, in a transaction: there may be very many. */
  static final int FETCH_SIZE = 1000;

  private Rows() {}

  /** Binds workspace, since and until, each twice; null stands for all. */
  static void bind(PreparedStatement query, int first, DeadLetterFilter filter)
      throws SQLException {
    query.setObject(first, filter.workspaceId(), Types.OTHER);
    query.setObject(first + 1, filter.workspaceId(), Types.OTHER);
    time(query, first + 2, filter.since());
    time(query, first + 3, filter.since());
    time(query, first + 4, filter.until());
    time(query, first + 5, filter.until());
  }

  private static void time(PreparedStatement query, int index, @Nullable Instant time)
      throws SQLException {
    query.setTimestamp(index, time == null ? null : Timestamp.from(time));
  }
}
