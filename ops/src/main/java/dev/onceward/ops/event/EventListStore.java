package dev.onceward.ops.event;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lists events of the outbox, newest first. Stateless. */
public final class EventListStore {

  private static final String SELECT =
      """
      SELECT e.id, e.workspace_id, e.event_type, e.aggregate_type, e.aggregate_id,
        CASE WHEN p.status = 'pending' THEN 'parked' WHEN p.status IS NOT NULL THEN p.status
          WHEN pg_visible_in_snapshot(e.xid, audited.snapshot) THEN 'dispatched' ELSE 'pending' END AS status,
        o.id AS operation_id, o.state
      FROM onceward.outbox_events e
      CROSS JOIN (SELECT onceward.audited_snapshot() AS snapshot) AS audited
      LEFT JOIN onceward.parked_events p ON p.event_id = e.id
      LEFT JOIN onceward.operation_events oe ON oe.event_id = e.id
      LEFT JOIN onceward.operations o ON o.id = oe.operation_id AND o.workspace_id = oe.workspace_id
      WHERE true""";

  private EventListStore() {}

  /** One condition and its value. */
  private record Condition(String sql, @Nullable Object value) {}

  public static List<ListedEvent> list(Connection connection, EventFilter filter)
      throws SQLException {
    List<Condition> conditions = conditions(filter);
    StringBuilder sql = new StringBuilder(SELECT);
    conditions.forEach(condition -> sql.append("\n  AND ").append(condition.sql));
    sql.append("\nORDER BY e.id DESC LIMIT ").append(filter.limit());
    List<ListedEvent> events = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(sql.toString())) {
      int parameter = 1;
      for (Condition condition : conditions) {
        if (condition.value != null) {
          query.setObject(parameter++, condition.value);
        }
      }
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          events.add(read(row));
        }
      }
    }
    return events;
  }

  private static List<Condition> conditions(EventFilter filter) {
    List<Condition> conditions = new ArrayList<>();
    add(conditions, "e.id >= ?", lowestIdAt(filter.from()));
    add(conditions, "e.id < ?", lowestIdAt(filter.to()));
    add(conditions, "e.id < ?", filter.after());
    add(conditions, "e.workspace_id = ?", filter.workspaceId());
    add(conditions, "e.event_type = ?", filter.eventType());
    add(conditions, "e.aggregate_type = ?", filter.aggregateType());
    add(conditions, "e.aggregate_id = ?", filter.aggregateId());
    EventStatus status = filter.status();
    if (status != null) {
      conditions.add(new Condition(status.condition(), null));
    }
    return conditions;
  }

  private static void add(List<Condition> conditions, String sql, @Nullable Object value) {
    if (value != null) {
      conditions.add(new Condition(sql, value));
    }
  }

  private static @Nullable UUID lowestIdAt(@Nullable Instant time) {
    return time == null ? null : new UUID(time.toEpochMilli() << 16, 0);
  }

  private static ListedEvent read(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    return new ListedEvent(
        id,
        Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16),
        row.getObject("workspace_id", UUID.class),
        row.getString("event_type"),
        row.getString("aggregate_type"),
        row.getString("aggregate_id"),
        row.getString("status"),
        row.getObject("operation_id", UUID.class),
        row.getString("state"));
  }
}
