package dev.onceward.db.operation;

import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.secret.SecretGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Writes an operation and its event in the caller's transaction. */
public final class TaskWriter {

  private static final String APPEND =
      """
      SELECT * FROM onceward.task_append(event_type => ?, payload_version => ?, aggregate_type => ?, aggregate_id => ?,
        resource_type => ?, resource_id => ?, business_key => ?, request_id => ?, correlation_id => ?,
        traceparent => ?, payload => ?::json, event_id => ?, operation_id => ?, kind => ?, max_attempts => ?)
      """;

  private TaskWriter() {}

  /**
   * Appends {@code task}. Its workspace is the transaction's.
   *
   * @throws dev.onceward.db.secret.SecretFoundException if the payload holds a secret
   * @throws SQLException if a table refuses it, or no workspace is set
   */
  public static void append(Connection connection, NewTask task) throws SQLException {
    SecretGuard.requireNoneInJson(
        "the payload of event " + task.event().eventType(), task.event().payload());
    try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
      OutboxWriter.bind(statement, task.event());
      statement.setObject(13, task.operationId());
      statement.setString(14, task.kind());
      statement.setInt(15, task.maxAttempts());
      statement.execute();
    }
  }
}
