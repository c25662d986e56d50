package dev.onceward.ops.slot;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Looks at replication slots, drops and makes them. Stateless. */
public final class SlotStore {

  // On a standby the current position is the one replayed. By name from JSON: the columns differ
  // between the versions of the server.
  private static final String FIND =
      """
      SELECT slot_name, coalesce(database, '-') AS database, coalesce(plugin, '-') AS plugin, active_pid,
        coalesce(wal_status, 'lost') AS wal_status,
        coalesce(to_jsonb(s) ->> 'invalidation_reason',
          CASE WHEN (to_jsonb(s) ->> 'conflicting')::boolean THEN 'conflict' END) AS lost_because,
        coalesce(pg_wal_lsn_diff(here.lsn, restart_lsn), 0)::bigint AS retained_bytes,
        coalesce(pg_wal_lsn_diff(here.lsn, confirmed_flush_lsn), 0)::bigint AS lag_bytes,
        safe_wal_size, restart_lsn::text, confirmed_flush_lsn::text,
        (to_jsonb(s) ->> 'failover')::boolean AS failover
      FROM pg_replication_slots AS s
      CROSS JOIN (SELECT CASE WHEN pg_is_in_recovery()
        THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS lsn) AS here
      WHERE slot_name = ?
      """;

  private static final int FAILOVER_SLOTS_SINCE = 17;

  private SlotStore() {}

  /** The slot of that name, of whatever database; empty if there is none. */
  public static Optional<Slot> find(Connection connection, String name) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(FIND)) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(slot(row)) : Optional.empty();
      }
    }
  }

  /**
   * Drops it, at once and whatever the transaction does later.
   *
   * @param connection as a role that may replicate
   */
  static void drop(Connection connection, String name) throws SQLException {
    try (PreparedStatement drop =
        connection.prepareStatement("SELECT pg_drop_replication_slot(?)")) {
      drop.setString(1, name);
      drop.execute();
    }
  }

  /**
   * Makes it as the relay does; waits for every transaction that is open at that moment.
   *
   * @param connection as a role that may replicate
   * @param patienceSeconds how long it may wait
   */
  static void create(Connection connection, String name, int patienceSeconds) throws SQLException {
    boolean failover = connection.getMetaData().getDatabaseMajorVersion() >= FAILOVER_SLOTS_SINCE;
    String create =
        failover
            ? "SELECT lsn FROM pg_create_logical_replication_slot(?, 'pgoutput', failover => true)"
            : "SELECT lsn FROM pg_create_logical_replication_slot(?, 'pgoutput')";
    try (PreparedStatement statement = connection.prepareStatement(create)) {
      statement.setQueryTimeout(patienceSeconds);
      statement.setString(1, name);
      statement.execute();
    }
  }

  private static Slot slot(ResultSet row) throws SQLException {
    return new Slot(
        row.getString("slot_name"),
        row.getString("database"),
        row.getString("plugin"),
        row.getObject("active_pid", Integer.class),
        row.getString("wal_status"),
        row.getString("lost_because"),
        row.getLong("retained_bytes"),
        row.getLong("lag_bytes"),
        row.getObject("safe_wal_size", Long.class),
        row.getString("restart_lsn"),
        row.getString("confirmed_flush_lsn"),
        row.getObject("failover", Boolean.class));
  }
}
