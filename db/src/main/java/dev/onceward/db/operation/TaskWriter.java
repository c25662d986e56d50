package dev.onceward.db.operation;

import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.secret.SecretGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

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
   * Makes the operation of an event that was written without one; its subject is the event's
   * resource. Several may try at the same time: one makes it.
   *
   * @param operationId version 7, for the operation if it is made
   * @return false if it was not made: it is there already, or the event cannot be seen
   */
  public static boolean makeFor(
      Connection connection, UUID eventId, UUID operationId, String kind, int maxAttempts)
      throws SQLException {
    String sql =
        """
        WITH made AS (
          INSERT INTO onceward.operations (id, kind, subject_type, subject_id, event_id, max_attempts)
          SELECT ?, ?, e.resource_type, e.resource_id, e.id, ? FROM onceward.outbox_events e
          WHERE e.id = ? AND NOT EXISTS (SELECT FROM onceward.operation_events known WHERE known.event_id = e.id)
          ON CONFLICT ON CONSTRAINT operations_event DO NOTHING
          RETURNING id, event_id)
        INSERT INTO onceward.operation_events (event_id, operation_id) SELECT event_id, id FROM made
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, operationId);
      statement.setString(2, kind);
      statement.setInt(3, maxAttempts);
      statement.setObject(4, eventId);
      return statement.executeUpdate() == 1;
    }
  }

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
