package dev.onceward.relay;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/** Writes events as the application's role does. */
final class TestOutbox {
  private final MigratedDatabase database;
  private final UUID workspaceId = UUID.randomUUID();

  TestOutbox(MigratedDatabase database) {
    this.database = database;
  }

  UUID workspaceId() {
    return workspaceId;
  }

  static NewEvent event(String aggregateId, String payload) {
    return NewEvent.of("order.placed", "order", aggregateId, payload);
  }

  /** One event for another topic in a transaction of its own. */
  UUID appendInvoice(String aggregateId) throws SQLException {
    NewEvent event = NewEvent.of("order.placed", "invoice", aggregateId, "1");
    append(List.of(event));
    return event.id();
  }

  /** One event in a transaction of its own. */
  UUID append(String aggregateId, String payload) throws SQLException {
    NewEvent event = event(aggregateId, payload);
    append(List.of(event));
    return event.id();
  }

  /** All in one transaction. */
  void append(List<NewEvent> events) throws SQLException {
    try (Connection connection = begin()) {
      append(connection, events);
    }
  }

  /** All in one transaction of a connection that stays open: opening one costs more than that. */
  void append(Connection connection, List<NewEvent> events) throws SQLException {
    WorkspaceContext.set(connection, workspaceId);
    for (NewEvent event : events) {
      OutboxWriter.append(connection, event);
    }
    connection.commit();
  }

  /** So many transactions of so many events each, written by the server itself. */
  void appendMany(int transactions, int eventsEach) throws SQLException {
    try (Connection connection = database.connect("onceward_app");
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT set_config('app.workspace_id', '" + workspaceId + "', false)");
      statement.execute("SET synchronous_commit = off");
      statement.execute(
          """
          DO $$ BEGIN
            FOR t IN 1..%d LOOP
              PERFORM onceward.outbox_append('order.placed', 'order', (n %% 50)::text, '{}'::json)
              FROM generate_series(1, %d) AS n;
              COMMIT;
            END LOOP;
          END $$
          """
              .formatted(transactions, eventsEach));
    }
  }

  /** An open transaction with the workspace set. */
  Connection begin() throws SQLException {
    Connection connection = database.connect("onceward_app");
    connection.setAutoCommit(false);
    WorkspaceContext.set(connection, workspaceId);
    return connection;
  }
}
