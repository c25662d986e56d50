package dev.onceward.relay.audit;

import dev.onceward.db.relay.Snapshot;
import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The outbox as the audit reads it. Stateless. */
final class OutboxRows {
  private static final int FETCH_ROWS = 5_000;

  /**
   * Exactly what the newer snapshot sees and the older did not, by the index: those that the older
   * one lists as running, and the range between the two ends. What stays open costs nothing.
   */
  private static final String BETWEEN =
      """
      SELECT id, xid::text FROM onceward.outbox_events
      WHERE xid = ANY (?::xid8[]) AND pg_visible_in_snapshot(xid, ?::pg_snapshot)
      UNION ALL
      (SELECT id, xid::text FROM onceward.outbox_events AS e
      WHERE xid >= ?::xid8 AND xid < ?::xid8 AND pg_visible_in_snapshot(xid, ?::pg_snapshot)
      ORDER BY e.xid, id)
      """;

  private static final String ROWS =
      """
      SELECT id, workspace_id, event_type, payload_version, aggregate_type, aggregate_id, resource_type,
        resource_id, business_key, request_id, correlation_id, traceparent, payload::text AS payload
      FROM onceward.outbox_events WHERE id = ANY (?) ORDER BY xid, id
      """;

  private static final String PARKED =
      "SELECT event_id FROM onceward.parked_events WHERE event_id = ANY (?)";

  private static final String PATIENCE =
      """
      SELECT set_config(name, '0', false) FROM pg_settings
      WHERE name IN ('idle_in_transaction_session_timeout', 'statement_timeout', 'transaction_timeout')
      """;

  private OutboxRows() {}

  /**
   * Takes away the server's own limits on a session: a step reads the rows in one transaction, and
   * in the middle of it Kafka may be away.
   */
  static void untimed(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(PATIENCE)) {
      query.execute();
    }
  }

  /** Takes one row of a step. */
  @FunctionalInterface
  interface Visitor {
    void visit(UUID id, long xid) throws SQLException, InterruptedException;
  }

  /**
   * Visits each row that {@code to} sees and {@code from} does not, in the order of transactions
   * and ids but for what was running at {@code from}, which comes first.
   *
   * @param connection in a transaction, so that the rows come in portions
   */
  static void between(Connection connection, Snapshot from, Snapshot to, Visitor visitor)
      throws SQLException, InterruptedException {
    String running =
        Arrays.stream(from.running())
            .mapToObj(Long::toString)
            .collect(Collectors.joining(",", "{", "}"));
    try (PreparedStatement query = connection.prepareStatement(BETWEEN)) {
      query.setFetchSize(FETCH_ROWS);
      query.setString(1, running);
      query.setString(2, to.toString());
      query.setString(3, Long.toString(from.xmax()));
      query.setString(4, Long.toString(to.xmax()));
      query.setString(5, to.toString());
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while reading the outbox");
          }
          visitor.visit(row.getObject(1, UUID.class), Long.parseLong(row.getString(2)));
        }
      }
    }
  }

  /** Which of these stand in {@code parked_events}. */
  static Set<UUID> parked(Connection connection, Collection<UUID> ids) throws SQLException {
    Set<UUID> parked = new HashSet<>();
    try (PreparedStatement query = connection.prepareStatement(PARKED)) {
      query.setArray(1, array(connection, ids));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          parked.add(row.getObject(1, UUID.class));
        }
      }
    }
    return parked;
  }

  /** The rows of these ids, of those that exist. */
  static List<OutboxRow> find(Connection connection, Collection<UUID> ids) throws SQLException {
    List<OutboxRow> rows = new ArrayList<>(ids.size());
    try (PreparedStatement query = connection.prepareStatement(ROWS)) {
      query.setArray(1, array(connection, ids));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          rows.add(read(row));
        }
      }
    }
    return rows;
  }

  private static Array array(Connection connection, Collection<UUID> ids) throws SQLException {
    return connection.createArrayOf("uuid", ids.toArray());
  }

  private static OutboxRow read(ResultSet row) throws SQLException {
    return new OutboxRow(
        row.getObject("id", UUID.class),
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
        RawJson.of(row.getString("payload")));
  }
}
