package dev.onceward.ops.event;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds what an id leads to. Confined to the connection's thread; writes nothing. */
final class SubjectStore {

  private static final String BY_ID =
      """
      SELECT o.workspace_id, o.id, NULL::uuid AS event_id, 'operation' AS found_as
      FROM onceward.operations o WHERE o.id = ?
      UNION ALL
      SELECT oe.workspace_id, oe.operation_id, oe.event_id, 'event'
      FROM onceward.operation_events oe WHERE oe.event_id = ?
      UNION ALL
      SELECT e.workspace_id, NULL, e.id, 'event' FROM onceward.outbox_events e
      WHERE e.id = ? AND NOT EXISTS (SELECT FROM onceward.operation_events oe WHERE oe.event_id = e.id)
      UNION ALL
      SELECT p.workspace_id, NULL, p.event_id, 'event' FROM onceward.parked_events p
      WHERE p.event_id = ? AND NOT EXISTS (SELECT FROM onceward.operation_events oe WHERE oe.event_id = p.event_id)
        AND NOT EXISTS (SELECT FROM onceward.outbox_events e WHERE e.id = p.event_id)
      """;

  private static final String BY_KEY =
      """
      SELECT workspace_id, 'idempotency key' AS kept_as, method || ' ' || path AS endpoint, path, key, created_at AS at,
        status, response_status, NULL::uuid AS run_id, NULL::uuid AS task_id
      FROM onceward.idempotency_requests
      WHERE key = ? AND (?::uuid IS NULL OR workspace_id = ?)
      UNION ALL
      SELECT workspace_id, 'hook receipt', 'POST /hooks/' || hook_id, '', idem_key, received_at, status, NULL, run_id, task_id
      FROM onceward.hook_receipts WHERE idem_key = ? AND (?::uuid IS NULL OR workspace_id = ?)
      UNION ALL
      SELECT workspace_id, 'api receipt', endpoint, '', idem_key, received_at, status, NULL, run_id, task_id
      FROM onceward.api_receipts WHERE idem_key = ? AND (?::uuid IS NULL OR workspace_id = ?)
      """;

  /**
   * What one transaction wrote bears one now(): the answer, the operation's link to its event, and
   * the event. An id is made within the transaction, or shortly before.
   */
  private static final String OF_TRANSACTION =
      """
      SELECT oe.operation_id, oe.event_id FROM onceward.operation_events oe
      WHERE oe.workspace_id = ? AND oe.created_at = ?::timestamptz
      UNION ALL
      -- an event without an operation, or one whose operation a worker has made
      SELECT oe.operation_id, e.id FROM onceward.outbox_events e
      LEFT JOIN onceward.operation_events oe ON oe.event_id = e.id
      WHERE e.workspace_id = ? AND e.created_at = ?::timestamptz AND e.id >= ? AND e.id < ?
      """;

  private static final String OF_RECEIPT =
      """
      SELECT operation_id, NULL::uuid FROM onceward.runs WHERE workspace_id = ? AND id = ?
      UNION
      SELECT operation_id, NULL FROM onceward.todos WHERE workspace_id = ? AND id = ? AND operation_id IS NOT NULL
      """;

  private static final String BY_REQUEST_ID =
      """
      SELECT e.workspace_id, oe.operation_id, e.id FROM onceward.outbox_events e
      LEFT JOIN onceward.operation_events oe ON oe.event_id = e.id
      WHERE e.id >= ? AND e.id < ? AND e.request_id = ? AND (?::uuid IS NULL OR e.workspace_id = ?)
      ORDER BY e.id LIMIT 100
      """;

  private static final UUID LOWEST = new UUID(0, 0);
  private static final UUID HIGHEST = new UUID(-1L, -1L);

  private final Connection connection;

  SubjectStore(Connection connection) {
    this.connection = connection;
  }

  /** The operation or event of exactly that id. */
  List<Subject> byId(UUID id, @Nullable UUID workspaceId) throws SQLException {
    List<Subject> found = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(BY_ID)) {
      for (int parameter = 1; parameter <= 4; parameter++) {
        query.setObject(parameter, id);
      }
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          Subject subject =
              new Subject(
                  row.getObject(1, UUID.class),
                  row.getObject(2, UUID.class),
                  row.getObject(3, UUID.class),
                  row.getString(4) + " " + id,
                  null);
          if (workspaceId == null || workspaceId.equals(subject.workspaceId())) {
            add(found, subject);
          }
        }
      }
    }
    return found;
  }

  /** What requests with that key led to, in the order in which they came. */
  List<Subject> byKey(String key, @Nullable UUID workspaceId) throws SQLException {
    List<Subject> found = new ArrayList<>();
    for (Keyed keyed : keyed(key, workspaceId)) {
      List<Subject> led = keyed.ofReceipt ? ofReceipt(keyed) : ofTransaction(keyed);
      if (led.isEmpty()) {
        // No event, or it is forgotten; the request alone is worth showing.
        found.add(new Subject(keyed.workspaceId, null, null, foundAs(keyed), keyed.request));
      }
      led.forEach(subject -> add(found, subject));
    }
    return found;
  }

  private record Keyed(
      UUID workspaceId,
      RequestLife request,
      String path,
      String exactTime,
      boolean ofReceipt,
      @Nullable UUID runId,
      @Nullable UUID todoId) {}

  private List<Keyed> keyed(String key, @Nullable UUID workspaceId) throws SQLException {
    List<Keyed> keyed = new ArrayList<>();
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT k.*, k.at::text AS exact_time FROM (" + BY_KEY + ") k ORDER BY k.at")) {
      for (int parameter = 1; parameter <= 9; parameter += 3) {
        query.setString(parameter, key);
        query.setObject(parameter + 1, workspaceId, java.sql.Types.OTHER);
        query.setObject(parameter + 2, workspaceId, java.sql.Types.OTHER);
      }
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          String keptAs = row.getString("kept_as");
          keyed.add(
              new Keyed(
                  row.getObject("workspace_id", UUID.class),
                  RequestRows.read(row),
                  row.getString("path"),
                  row.getString("exact_time"),
                  keptAs.endsWith("receipt"),
                  row.getObject("run_id", UUID.class),
                  row.getObject("task_id", UUID.class)));
        }
      }
    }
    return keyed;
  }

  private List<Subject> ofTransaction(Keyed keyed) throws SQLException {
    UUID operationOfPath = operationOf(keyed.path);
    if (operationOfPath != null) {
      return List.of(
          new Subject(keyed.workspaceId, operationOfPath, null, foundAs(keyed), keyed.request));
    }
    Instant at = keyed.request.at();
    try (PreparedStatement query = connection.prepareStatement(OF_TRANSACTION)) {
      query.setObject(1, keyed.workspaceId);
      query.setString(2, keyed.exactTime);
      query.setObject(3, keyed.workspaceId);
      query.setString(4, keyed.exactTime);
      query.setObject(5, lowestIdAt(at.minus(1, ChronoUnit.MINUTES)));
      query.setObject(6, lowestIdAt(at.plus(10, ChronoUnit.MINUTES)));
      return subjects(query, keyed);
    }
  }

  /** Retrying and cancelling name the operation. */
  private static @Nullable UUID operationOf(String path) {
    String[] parts = path.split("/", -1);
    try {
      return parts.length == 5 && parts[2].equals("operations") ? UUID.fromString(parts[3]) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private List<Subject> ofReceipt(Keyed keyed) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(OF_RECEIPT)) {
      query.setObject(1, keyed.workspaceId);
      query.setObject(2, keyed.runId, java.sql.Types.OTHER);
      query.setObject(3, keyed.workspaceId);
      query.setObject(4, keyed.todoId, java.sql.Types.OTHER);
      return subjects(query, keyed);
    }
  }

  private static List<Subject> subjects(PreparedStatement query, Keyed keyed) throws SQLException {
    List<Subject> subjects = new ArrayList<>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        subjects.add(
            new Subject(
                keyed.workspaceId,
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                foundAs(keyed),
                keyed.request));
      }
    }
    return subjects;
  }

  private static String foundAs(Keyed keyed) {
    return keyed.request.keptAs() + " of " + keyed.request.endpoint();
  }

  /**
   * What a request with that id wrote. There is no index for it, so the days are looked through
   * from the newest backwards, until one has some.
   *
   * @param outboxSince the oldest day
   */
  List<Subject> byRequestId(
      String requestId, @Nullable UUID workspaceId, Instant now, Instant outboxSince)
      throws SQLException {
    Instant day = now.truncatedTo(ChronoUnit.DAYS);
    UUID end = HIGHEST;
    while (true) {
      UUID begin = day.isBefore(outboxSince) ? LOWEST : lowestIdAt(day);
      List<Subject> found = byRequestId(requestId, workspaceId, begin, end);
      if (!found.isEmpty() || begin.equals(LOWEST)) {
        return found;
      }
      end = begin;
      day = day.minus(1, ChronoUnit.DAYS);
    }
  }

  private List<Subject> byRequestId(
      String requestId, @Nullable UUID workspaceId, UUID begin, UUID end) throws SQLException {
    List<Subject> found = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(BY_REQUEST_ID)) {
      query.setObject(1, begin);
      query.setObject(2, end);
      query.setString(3, requestId);
      query.setObject(4, workspaceId, java.sql.Types.OTHER);
      query.setObject(5, workspaceId, java.sql.Types.OTHER);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          add(
              found,
              new Subject(
                  row.getObject(1, UUID.class),
                  row.getObject(2, UUID.class),
                  row.getObject(3, UUID.class),
                  "request id",
                  null));
        }
      }
    }
    return found;
  }

  private static void add(List<Subject> subjects, Subject one) {
    if (subjects.stream().noneMatch(one::isSameAs)) {
      subjects.add(one);
    }
  }

  private static UUID lowestIdAt(Instant time) {
    return new UUID(time.toEpochMilli() << 16, 0);
  }
}
