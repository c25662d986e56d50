package dev.onceward.db.operation;

import dev.onceward.db.operation.ControlResult.Changed;
import dev.onceward.db.operation.ControlResult.EventGone;
import dev.onceward.db.operation.ControlResult.Unfit;
import dev.onceward.db.operation.ControlResult.Unknown;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What people do to operations: retry those that failed, cancel those that have not begun. Each is
 * one UPDATE that names the states it may leave, so of two at once, or of a cancel and a claim, one
 * wins. All methods work in the transaction's workspace only. Stateless.
 */
public final class OperationControl {

  private OperationControl() {}

  /**
   * Queues a failed or dead operation anew: its attempts begin at zero, and an event with the words
   * of the last one asks for it under a new id. What died may have had its effect unseen: its retry
   * goes on under the same key towards the outside. What failed was refused and gets a new one.
   *
   * @param requestId of the request that retries; it and the next two may be null
   * @throws SQLException if a statement fails; a unique violation if the operation may not be
   *     active beside another one, with the name of the index
   */
  public static ControlResult retry(
      Connection connection,
      UUID operationId,
      @Nullable String requestId,
      @Nullable String correlationId,
      @Nullable String traceparent)
      throws SQLException {
    Optional<Operation> found = OperationStore.find(connection, operationId);
    if (found.isEmpty()) {
      return new Unknown();
    }
    Operation before = found.get();
    if (!before.state().successors().contains(OperationState.QUEUED) || !before.state().isFinal()) {
      return new Unfit(before.state());
    }
    Optional<NewEvent> again = KeptEvents.again(connection, before.eventId());
    if (again.isEmpty()) {
      return new EventGone();
    }
    NewEvent event = again.get().withTrace(requestId, correlationId, traceparent);
    Optional<Operation> after = requeue(connection, before, event.id());
    if (after.isEmpty()) {
      return lost(connection, operationId);
    }
    OutboxWriter.append(connection, event);
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO onceward.operation_events (event_id, operation_id) VALUES (?, ?)")) {
      statement.setObject(1, event.id());
      statement.setObject(2, operationId);
      statement.executeUpdate();
    }
    return new Changed(after.get());
  }

  /** Calls off an operation that no worker has in hand. */
  public static ControlResult cancel(Connection connection, UUID operationId) throws SQLException {
    String sql =
        """
        UPDATE onceward.operations o
        SET state = 'cancelled', next_attempt_at = NULL, finished_at = now(), updated_at = now()
        WHERE o.id = ? AND o.state IN ('queued', 'waiting_retry')
        RETURNING\s"""
            + OperationRows.COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, operationId);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          return new Changed(OperationRows.read(row));
        }
      }
    }
    return lost(connection, operationId);
  }

  private static Optional<Operation> requeue(
      Connection connection, Operation before, UUID newEventId) throws SQLException {
    // The event is named too: failed, retried and failed again meanwhile is another failure.
    String sql =
        """
        UPDATE onceward.operations o
        SET state = 'queued', attempt = 0, event_id = ?, last_error_code = NULL, last_error_summary = NULL,
          finished_at = NULL, updated_at = now(),
          effect_key = CASE o.state WHEN 'dead' THEN coalesce(o.effect_key, o.event_id) END
        WHERE o.id = ? AND o.event_id = ? AND o.state IN ('failed', 'dead')
        RETURNING\s"""
            + OperationRows.COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, newEventId);
      statement.setObject(2, before.id());
      statement.setObject(3, before.eventId());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(OperationRows.read(row)) : Optional.empty();
      }
    }
  }

  private static ControlResult lost(Connection connection, UUID operationId) throws SQLException {
    return OperationStore.find(connection, operationId)
        .<ControlResult>map(now -> new Unfit(now.state()))
        .orElseGet(Unknown::new);
  }
}
