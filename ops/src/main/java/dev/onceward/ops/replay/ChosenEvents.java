package dev.onceward.ops.replay;

import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The events of a selection in the outbox: those that {@code outbox_event_status} shows as
 * dispatched. Stateless but for the selection; runs in the caller's transaction.
 *
 * <p>The range of ids always stands in the condition: it is what partitions are pruned by.
 */
final class ChosenEvents {

  /** What one page may hold in memory, payloads alone: a payload has at most 256 KiB. */
  private static final int PAGE_BYTES = 8 * 1024 * 1024;

  private static final int FETCH_ROWS = 100;

  private static final String AUDITED = "SELECT onceward.audited_snapshot()::text";

  // min() of uuid came with PostgreSQL 18; the text form sorts alike.
  private static final String CENSUS =
      """
      SELECT e.event_type, e.aggregate_type,
        count(*) FILTER (WHERE p.event_id IS NULL AND s.seen) AS chosen,
        count(*) FILTER (WHERE p.event_id IS NULL AND NOT s.seen) AS pending,
        count(*) FILTER (WHERE p.event_id IS NOT NULL) AS parked,
        min(e.id::text COLLATE "C") FILTER (WHERE p.event_id IS NULL AND s.seen) AS first_id,
        max(e.id::text COLLATE "C") FILTER (WHERE p.event_id IS NULL AND s.seen) AS last_id
      FROM onceward.outbox_events e
      LEFT JOIN onceward.parked_events p ON p.event_id = e.id
      CROSS JOIN LATERAL (SELECT pg_visible_in_snapshot(e.xid, ?::pg_snapshot) AS seen) s
      """;

  private static final String PAGE =
      """
      SELECT e.id, e.workspace_id, e.event_type, e.payload_version, e.aggregate_type, e.aggregate_id, e.resource_type,
        e.resource_id, e.business_key, e.request_id, e.correlation_id, e.traceparent, e.payload::text AS payload
      FROM onceward.outbox_events e
      """;

  private static final String DISPATCHED =
      """
        AND pg_visible_in_snapshot(e.xid, ?::pg_snapshot)
        AND NOT EXISTS (SELECT FROM onceward.parked_events p WHERE p.event_id = e.id)
      """;

  private final EventSelection selection;
  private final String condition;
  private final List<Object> values = new ArrayList<>();

  ChosenEvents(EventSelection selection) {
    this.selection = selection;
    StringBuilder text = new StringBuilder();
    add(text, " AND e.xid >= ?::xid8", text(selection.fromXid()));
    add(text, " AND e.xid <= ?::xid8", text(selection.toXid()));
    add(text, " AND e.event_type = ?", selection.eventType());
    add(text, " AND e.aggregate_type = ?", selection.aggregateType());
    add(text, " AND e.aggregate_id = ?", selection.aggregateId());
    add(text, " AND e.workspace_id = ?", selection.workspaceId());
    this.condition = text.toString();
  }

  private void add(StringBuilder text, String part, @Nullable Object value) {
    if (value != null) {
      text.append(part);
      values.add(value);
    }
  }

  private static @Nullable String text(@Nullable Long xid) {
    return xid == null ? null : xid.toString();
  }

  /**
   * Counts them; null if no audit has proven anything yet.
   *
   * @param connection READ COMMITTED: the snapshot is older than the rows that are then read
   */
  @Nullable Census count(Connection connection) throws SQLException {
    String snapshot;
    try (PreparedStatement query = connection.prepareStatement(AUDITED);
        ResultSet row = query.executeQuery()) {
      row.next();
      snapshot = row.getString(1);
    }
    return snapshot == null ? null : count(connection, snapshot);
  }

  private Census count(Connection connection, String snapshot) throws SQLException {
    String sql =
        CENSUS + "WHERE e.id >= ? AND e.id <= ?" + condition + " GROUP BY 1, 2 ORDER BY 1, 2";
    List<Census.Kind> kinds = new ArrayList<>();
    String first = null;
    String last = null;
    long pending = 0;
    long parked = 0;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, snapshot);
      bind(query, 2, selection.lowestId(), selection.highestId());
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          kinds.add(new Census.Kind(row.getString(1), row.getString(2), row.getLong("chosen")));
          pending += row.getLong("pending");
          parked += row.getLong("parked");
          String lowest = row.getString("first_id");
          String highest = row.getString("last_id");
          first = first == null || (lowest != null && lowest.compareTo(first) < 0) ? lowest : first;
          last = last == null || (highest != null && highest.compareTo(last) > 0) ? highest : last;
        }
      }
    }
    return new Census(
        snapshot,
        kinds,
        first == null ? selection.lowestId() : UUID.fromString(first),
        last == null ? selection.highestId() : UUID.fromString(last),
        pending,
        parked);
  }

  /**
   * The next ones of a replay, in the order of their ids; empty at the end.
   *
   * @param connection in a transaction, so that the rows come in portions
   * @param after the last one that is done, or null
   * @param atMost how many; fewer come if they are large
   */
  List<OutboxRow> page(Connection connection, Replay replay, @Nullable UUID after, int atMost)
      throws SQLException {
    String sql =
        PAGE
            + (after == null ? "WHERE e.id >= ?" : "WHERE e.id > ?")
            + " AND e.id <= ?"
            + condition
            + "\n"
            + DISPATCHED
            + "ORDER BY e.id LIMIT ?";
    List<OutboxRow> rows = new ArrayList<>();
    long bytes = 0;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setFetchSize(FETCH_ROWS);
      int next =
          bind(query, 1, after == null ? replay.firstEventId() : after, replay.lastEventId());
      query.setString(next, replay.chosenSnapshot());
      query.setInt(next + 1, atMost);
      try (ResultSet row = query.executeQuery()) {
        while (bytes < PAGE_BYTES && row.next()) {
          OutboxRow read = read(row);
          rows.add(read);
          bytes += read.payload().sizeBytes();
        }
      }
    }
    return rows;
  }

  private int bind(PreparedStatement query, int first, UUID lowest, UUID highest)
      throws SQLException {
    query.setObject(first, lowest);
    query.setObject(first + 1, highest);
    int next = first + 2;
    for (Object value : values) {
      query.setObject(next++, value);
    }
    return next;
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
