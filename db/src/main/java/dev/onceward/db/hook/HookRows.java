package dev.onceward.db.hook;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.UUID;

/** Reads rows of {@code hooks}. */
final class HookRows {

  static final String COLUMNS =
      "id, workspace_id, name, action, flow, enabled, previous_secret_expires_at, created_at, updated_at";

  private HookRows() {}

  static Hook read(ResultSet row) throws SQLException {
    Timestamp expiresAt = row.getTimestamp("previous_secret_expires_at");
    return new Hook(
        row.getObject("id", UUID.class),
        row.getObject("workspace_id", UUID.class),
        row.getString("name"),
        action(row),
        row.getString("flow"),
        row.getBoolean("enabled"),
        expiresAt == null ? null : expiresAt.toInstant(),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant());
  }

  static HookAction action(ResultSet row) throws SQLException {
    String label = row.getString("action");
    return HookAction.ofLabel(label)
        .orElseThrow(() -> new IllegalStateException("no such action of a hook: " + label));
  }
}
