package dev.onceward.ops;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.relay.ParkedEvent;
import dev.onceward.db.relay.ParkedEventStore;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/** Makes dead letters in a test's database, and looks at what became of them. */
public final class DeadLetterRows {

  private final MigratedDatabase database;

  public DeadLetterRows(MigratedDatabase database) {
    this.database = database;
  }

  /** An operation that has ended {@code failed} or {@code dead} after three attempts. */
  public NewTask operation(Tenant tenant, String subject, String state, String code, String summary)
      throws SQLException {
    NewTask task =
        NewTask.of(
            "sync_products",
            NewEvent.of("thing.made", "thing", subject, "{\"subject\":\"" + subject + "\"}"));
    database
        .app()
        .runInWorkspace(tenant.workspaceId(), connection -> TaskWriter.append(connection, task));
    end(task.operationId(), state, code, summary);
    return task;
  }

  /** Ends an operation. */
  public void end(UUID operationId, String state, String code, String summary) throws SQLException {
    try (Connection superuser = database.superuser();
        PreparedStatement update =
            superuser.prepareStatement(
                """
                UPDATE onceward.operations SET state = ?, attempt = 3, last_error_code = ?, last_error_summary = ?,
                  finished_at = clock_timestamp() WHERE id = ?
                """)) {
      update.setString(1, state);
      update.setString(2, code);
      update.setString(3, summary);
      update.setObject(4, operationId);
      update.executeUpdate();
    }
  }

  /** A parked event, dead or pending. */
  public UUID parked(Tenant tenant, boolean dead, String value, String summary)
      throws SQLException {
    UUID id = UUID.randomUUID();
    ParkedEvent event =
        new ParkedEvent(
            id,
            tenant.workspaceId(),
            7,
            "onceward.thing",
            "thing/1",
            id.toString().getBytes(StandardCharsets.US_ASCII),
            value.getBytes(StandardCharsets.UTF_8),
            value.isEmpty() ? "[]" : "[{\"name\":\"event_type\",\"value\":\"thing.parked\"}]");
    try (Connection relay = database.connect("onceward_relay")) {
      relay.setAutoCommit(false);
      WorkspaceContext.set(relay, tenant.workspaceId());
      new ParkedEventStore()
          .insert(
              relay,
              List.of(event),
              new ParkedEvent.Reason(
                  dead, dead ? "OUTBOX_PERMANENT_FAILURE" : "OUTBOX_ENQUEUE_FAILED", summary));
      relay.commit();
    }
    return id;
  }

  /** The only value of a query, as text. */
  public String text(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  /** Everything that a command could change. */
  public String everything() throws SQLException {
    return text(
        """
        SELECT concat_ws(E'\\n',
          (SELECT string_agg(t::text, E'\\n' ORDER BY t::text) FROM onceward.operations t),
          (SELECT string_agg(t::text, E'\\n' ORDER BY t::text) FROM onceward.parked_events t),
          (SELECT count(*) FROM onceward.outbox_events), (SELECT count(*) FROM onceward.operation_events),
          (SELECT count(*) FROM onceward.dead_letter_acts), (SELECT count(*) FROM onceward.ops_actions))
        """);
  }
}
