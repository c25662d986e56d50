package dev.onceward.db.operation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads rows of {@code operations}. */
final class OperationRows {

  static final String COLUMNS =
      "o.id, o.workspace_id, o.kind, o.subject_type, o.subject_id, o.event_id, o.effect_key, o.state, o.attempt, o.max_attempts,"
          + " o.lease_owner, o.lease_expires_at, o.next_attempt_at, o.last_error_code, o.last_error_summary, o.result,"
          + " o.created_at, o.updated_at, o.finished_at";

  private OperationRows() {}

  static Operation read(ResultSet row) throws SQLException {
    return new Operation(
        row.getObject("id", UUID.class),
        row.getObject("workspace_id", UUID.class),
        row.getString("kind"),
        row.getString("subject_type"),
        row.getString("subject_id"),
        row.getObject("event_id", UUID.class),
        row.getObject("effect_key", UUID.class),
        OperationState.ofLabel(row.getString("state")),
        row.getInt("attempt"),
        row.getInt("max_attempts"),
        row.getString("lease_owner"),
        instant(row, "lease_expires_at"),
        instant(row, "next_attempt_at"),
        row.getString("last_error_code"),
        row.getString("last_error_summary"),
        row.getString("result"),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant(),
        instant(row, "finished_at"));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    Timestamp timestamp = row.getTimestamp(column);
    return timestamp == null ? null : timestamp.toInstant();
  }
}
