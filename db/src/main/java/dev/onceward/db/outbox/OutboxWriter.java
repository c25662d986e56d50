package dev.onceward.db.outbox;

import dev.onceward.db.secret.SecretGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Appends events to the outbox within the caller's transaction. */
public final class OutboxWriter {

  private static final String APPEND =
      """
      SELECT onceward.outbox_append(event_type => ?, payload_version => ?, aggregate_type => ?, aggregate_id => ?,
        resource_type => ?, resource_id => ?, business_key => ?, request_id => ?, correlation_id => ?,
        traceparent => ?, payload => ?::json, event_id => ?)
      """;

  private OutboxWriter() {}

  /**
   * Appends {@code event}. Its workspace is the transaction's.
   *
   * @throws dev.onceward.db.secret.SecretFoundException if the payload holds a secret
   * @throws SQLException if the table refuses the event ({@link
   *     dev.onceward.db.SqlStates#CHECK_VIOLATION} with the constraint's name), or no workspace is
   *     set
   */
  public static void append(Connection connection, NewEvent event) throws SQLException {
    SecretGuard.requireNoneInJson("the payload of event " + event.eventType(), event.payload());
    try (PreparedStatement statement = connection.prepareStatement(APPEND)) {
      bind(statement, event);
      statement.execute();
    }
  }

  /**
   * Binds the first twelve parameters of a call that appends an event, in the order of {@link
   * #append}'s.
   */
  public static void bind(PreparedStatement statement, NewEvent event) throws SQLException {
    statement.setString(1, event.eventType());
    statement.setInt(2, event.payloadVersion());
    statement.setString(3, event.aggregateType());
    statement.setString(4, event.aggregateId());
    statement.setString(5, event.resourceType());
    statement.setString(6, event.resourceId());
    statement.setString(7, event.businessKey());
    statement.setString(8, event.requestId());
    statement.setString(9, event.correlationId());
    statement.setString(10, event.traceparent());
    statement.setString(11, event.payload());
    statement.setObject(12, event.id());
  }
}
