package dev.onceward.local.torture;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The ways in which a backend writes several events in its transaction. Stateless. */
enum EventBatch {
  /** One call of the library for each. */
  CALLS {
    @Override
    void write(Connection connection, UUID workspaceId, List<NewEvent> events) throws SQLException {
      for (NewEvent event : events) {
        OutboxWriter.append(connection, event);
      }
    }
  },

  /** One INSERT of many rows. */
  ROWS {
    @Override
    void write(Connection connection, UUID workspaceId, List<NewEvent> events) throws SQLException {
      String rows = ", (?, ?, ?, ?, ?, ?, ?, ?::json)".repeat(events.size()).substring(2);
      try (PreparedStatement insert = connection.prepareStatement(INSERT + " VALUES " + rows)) {
        int parameter = 1;
        for (NewEvent event : events) {
          insert.setObject(parameter++, event.id());
          insert.setObject(parameter++, workspaceId);
          insert.setString(parameter++, event.eventType());
          insert.setString(parameter++, event.aggregateType());
          insert.setString(parameter++, event.aggregateId());
          insert.setString(parameter++, event.resourceType());
          insert.setString(parameter++, event.resourceId());
          insert.setString(parameter++, event.payload());
        }
        insert.executeUpdate();
      }
    }
  },

  /** One INSERT … SELECT. */
  SELECTED {
    @Override
    void write(Connection connection, UUID workspaceId, List<NewEvent> events) throws SQLException {
      NewEvent first = events.get(0);
      Array ids = connection.createArrayOf("uuid", events.stream().map(NewEvent::id).toArray());
      Array aggregates =
          connection.createArrayOf("text", events.stream().map(NewEvent::aggregateId).toArray());
      Array payloads =
          connection.createArrayOf("text", events.stream().map(NewEvent::payload).toArray());
      try (PreparedStatement insert = connection.prepareStatement(INSERT + SELECT)) {
        insert.setObject(1, workspaceId);
        insert.setString(2, first.eventType());
        insert.setString(3, first.aggregateType());
        insert.setString(4, first.resourceType());
        insert.setArray(5, ids);
        insert.setArray(6, aggregates);
        insert.setArray(7, payloads);
        insert.executeUpdate();
      }
    }
  };

  private static final String INSERT =
      """
      INSERT INTO onceward.outbox_events (id, workspace_id, event_type, aggregate_type, aggregate_id, resource_type,
        resource_id, payload)
      """;

  private static final String SELECT =
      """
      SELECT given.id, ?, ?, ?, given.aggregate, ?, given.aggregate, given.payload::json
      FROM unnest(?::uuid[], ?::text[], ?::text[]) WITH ORDINALITY AS given (id, aggregate, payload, place)
      ORDER BY given.place
      """;

  /**
   * Writes the events in their order.
   *
   * @param workspaceId the transaction's
   * @param events at least one; all of one type
   */
  abstract void write(Connection connection, UUID workspaceId, List<NewEvent> events)
      throws SQLException;
}
