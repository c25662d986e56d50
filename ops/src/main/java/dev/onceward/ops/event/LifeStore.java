package dev.onceward.ops.event;

import dev.onceward.db.operation.OperationStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a life from the database. Confined to the connection's thread; writes nothing. */
final class LifeStore {

  private static final String EVENTS_OF_OPERATION =
      """
      SELECT event_id, created_at::text FROM onceward.operation_events
      WHERE workspace_id = ? AND operation_id = ? ORDER BY created_at, event_id
      """;

  private static final String EVENT =
      """
      SELECT e.workspace_id, e.event_type, e.payload_version, e.aggregate_type, e.aggregate_id, e.resource_type,
        e.resource_id, e.business_key, e.request_id, e.correlation_id, e.traceparent, e.xid::text AS xid, e.created_at,
        CASE WHEN current_setting('track_commit_timestamp') = 'on' THEN pg_xact_commit_timestamp(e.xid::xid) END
          AS committed_at,
        coalesce(pg_visible_in_snapshot(e.xid,
          (SELECT s.audited_snapshot FROM onceward.relay_state s WHERE s.relay = ?)), false) AS seen,
        CASE WHEN ? THEN e.payload::text END AS payload, e.created_at::text AS exact_time
      FROM onceward.outbox_events e WHERE e.id = ?
      """;

  private static final String PARKED =
      """
      SELECT status, topic, parked_at, attempt_count, next_attempt_at, last_error_code, last_error_summary, replay_id
      FROM onceward.parked_events WHERE event_id = ?
      """;

  /** See {@link SubjectStore}: one transaction, one time. Acts on the operation name it. */
  private static final String REQUESTS =
      """
      SELECT 'idempotency key' AS kept_as, method || ' ' || path AS endpoint, key, created_at AS at, status, response_status
      FROM onceward.idempotency_requests
      WHERE workspace_id = ? AND (created_at = ANY (?::timestamptz[])
        OR path IN ('/v1/operations/' || ?::text || '/retry', '/v1/operations/' || ?::text || '/cancel'))
      UNION ALL
      SELECT 'hook receipt', 'POST /hooks/' || hook_id, idem_key, received_at, status, NULL
      FROM onceward.hook_receipts WHERE workspace_id = ? AND id IN (
        SELECT receipt_id FROM onceward.runs WHERE workspace_id = ? AND operation_id = ?
        UNION SELECT receipt_id FROM onceward.todos WHERE workspace_id = ? AND operation_id = ?)
      UNION ALL
      SELECT 'api receipt', endpoint, idem_key, received_at, status, NULL
      FROM onceward.api_receipts WHERE workspace_id = ? AND id IN (
        SELECT receipt_id FROM onceward.runs WHERE workspace_id = ? AND operation_id = ?
        UNION SELECT receipt_id FROM onceward.todos WHERE workspace_id = ? AND operation_id = ?)
      ORDER BY at
      """;

  private final Connection connection;
  private final String relay;
  private final boolean withPayload;

  /**
   * Reads over this connection.
   *
   * @param relay whose audited snapshot counts
   * @param withPayload whether payloads and results are read at all
   */
  LifeStore(Connection connection, String relay, boolean withPayload) {
    this.connection = connection;
    this.relay = relay;
    this.withPayload = withPayload;
  }

  /** All but what Kafka knows. */
  Life read(Subject subject) throws SQLException {
    UUID operationId = subject.operationId();
    UUID eventId = subject.eventId();
    OperationLife operation =
        operationId == null
            ? null
            : OperationStore.find(connection, operationId)
                .map(found -> OperationLife.of(found, withPayload))
                .orElse(null);
    List<String> times = new ArrayList<>();
    List<EventLife> events = new ArrayList<>();
    if (operationId != null) {
      for (UUID id : eventsOf(subject.workspaceId(), operationId, times)) {
        events.add(event(id, times));
      }
    } else if (eventId != null) {
      events.add(event(eventId, times));
    }
    List<RequestLife> requests = requests(subject.workspaceId(), operationId, times);
    RequestLife found = subject.request();
    if (found != null && !requests.contains(found)) {
      requests.add(0, found);
    }
    return new Life(subject.workspaceId(), subject.foundAs(), requests, operation, events, null);
  }

  private List<UUID> eventsOf(UUID workspaceId, UUID operationId, List<String> times)
      throws SQLException {
    List<UUID> ids = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(EVENTS_OF_OPERATION)) {
      query.setObject(1, workspaceId);
      query.setObject(2, operationId);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          ids.add(row.getObject(1, UUID.class));
          times.add(row.getString(2));
        }
      }
    }
    return ids;
  }

  private EventLife event(UUID id, List<String> times) throws SQLException {
    EventLife.Row row = row(id, times);
    EventLife.Parked parked = parked(id);
    String status =
        parked != null
            ? parked.status().equals("pending") ? "parked" : parked.status()
            : row == null ? "dropped" : row.seenByWatermark() ? "dispatched" : "pending";
    return new EventLife(id, row, parked, status, null, List.of());
  }

  private EventLife.@Nullable Row row(UUID id, List<String> times) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(EVENT)) {
      query.setString(1, relay);
      query.setBoolean(2, withPayload);
      query.setObject(3, id);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        times.add(row.getString("exact_time"));
        return new EventLife.Row(
            row.getObject("workspace_id", UUID.class),
            row.getString("event_type"),
            row.getInt("payload_version"),
            row.getString("aggregate_type"),
            row.getString("aggregate_id"),
            row.getString("resource_type"),
            row.getString("resource_id"),
            row.getString("business_key"),
            row.getString("request_id"),
            row.getString("correlation_id"),
            row.getString("traceparent"),
            row.getString("xid"),
            row.getTimestamp("created_at").toInstant(),
            instant(row.getTimestamp("committed_at")),
            row.getBoolean("seen"),
            row.getString("payload"));
      }
    }
  }

  private EventLife.@Nullable Parked parked(UUID id) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(PARKED)) {
      query.setObject(1, id);
      try (ResultSet row = query.executeQuery()) {
        return row.next()
            ? new EventLife.Parked(
                row.getString("status"),
                row.getString("topic"),
                row.getTimestamp("parked_at").toInstant(),
                row.getInt("attempt_count"),
                row.getTimestamp("next_attempt_at").toInstant(),
                row.getString("last_error_code"),
                row.getString("last_error_summary"),
                row.getObject("replay_id", UUID.class))
            : null;
      }
    }
  }

  private List<RequestLife> requests(
      UUID workspaceId, @Nullable UUID operationId, List<String> times) throws SQLException {
    List<RequestLife> requests = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(REQUESTS)) {
      query.setObject(1, workspaceId);
      query.setArray(2, connection.createArrayOf("text", times.toArray()));
      query.setString(3, String.valueOf(operationId));
      query.setString(4, String.valueOf(operationId));
      for (int parameter = 5; parameter <= 10; parameter += 5) {
        query.setObject(parameter, workspaceId);
        query.setObject(parameter + 1, workspaceId);
        query.setObject(parameter + 2, operationId, java.sql.Types.OTHER);
        query.setObject(parameter + 3, workspaceId);
        query.setObject(parameter + 4, operationId, java.sql.Types.OTHER);
      }
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          requests.add(RequestRows.read(row));
        }
      }
    }
    return requests;
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }
}
