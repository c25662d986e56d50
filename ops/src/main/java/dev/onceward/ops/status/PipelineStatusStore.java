package dev.onceward.ops.status;

import dev.onceward.ops.slot.SlotStore;
import dev.onceward.ops.status.PipelineStatus.Outbox;
import dev.onceward.ops.status.PipelineStatus.Relay;
import dev.onceward.ops.status.PipelineStatus.Server;
import dev.onceward.ops.status.PipelineStatus.Slot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the state of the pipeline. Confined to the connection's thread. */
public final class PipelineStatusStore {

  private static final List<String> STATES =
      List.of("queued", "running", "waiting_retry", "succeeded", "failed", "dead", "cancelled");

  private static final String SERVER =
      """
      SELECT now(), current_database(), current_setting('server_version'), pg_is_in_recovery()
      """;

  private static final String RELAY =
      """
      SELECT relay, delivered_at, audited_at FROM onceward.relay_state WHERE relay = ?
      """;

  // The id carries the event's time: its first 48 bits are Unix milliseconds.
  private static final String OUTBOX =
      """
      SELECT (SELECT count(*) FROM onceward.outbox_events),
        (SELECT ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint
         FROM onceward.outbox_events ORDER BY id DESC LIMIT 1),
        (SELECT count(*) FROM onceward.parked_events WHERE status = 'pending'),
        (SELECT count(*) FROM onceward.parked_events WHERE status = 'dead_letter')
      """;

  private static final String OPERATIONS =
      """
      SELECT state, count(*) FROM onceward.operations GROUP BY state
      """;

  private final Connection connection;

  public PipelineStatusStore(Connection connection) {
    this.connection = connection;
  }

  /**
   * @param slotName the slot of the relay that is asked about
   */
  public PipelineStatus read(String slotName) throws SQLException {
    connection.setAutoCommit(false);
    connection.setReadOnly(true);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try {
      Instant at;
      Server server;
      try (PreparedStatement statement = connection.prepareStatement(SERVER);
          ResultSet row = statement.executeQuery()) {
        row.next();
        at = row.getTimestamp(1).toInstant();
        server = new Server(row.getString(2), row.getString(3), row.getBoolean(4));
      }
      Slot slot = slot(slotName, server);
      return new PipelineStatus(
          at, server, slot, relay(slotName), outbox(), operations(), findings(slotName, slot));
    } finally {
      connection.rollback();
    }
  }

  private @Nullable Slot slot(String name, Server server) throws SQLException {
    return SlotStore.find(connection, name)
        .filter(slot -> slot.database().equals(server.name()))
        .map(
            slot ->
                new Slot(
                    slot.name(),
                    slot.isActive(),
                    slot.isLost() ? "lost" : slot.walStatus(),
                    slot.retainedBytes(),
                    slot.lagBytes(),
                    slot.confirmedLsn()))
        .orElse(null);
  }

  private @Nullable Relay relay(String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RELAY)) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? new Relay(
                row.getString(1), instant(row.getTimestamp(2)), instant(row.getTimestamp(3)))
            : null;
      }
    }
  }

  private Outbox outbox() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OUTBOX);
        ResultSet row = statement.executeQuery()) {
      row.next();
      long newest = row.getLong(2);
      return new Outbox(
          row.getLong(1),
          row.wasNull() ? null : Instant.ofEpochMilli(newest),
          row.getLong(3),
          row.getLong(4));
    }
  }

  private Map<String, Long> operations() throws SQLException {
    Map<String, Long> counts = new LinkedHashMap<>();
    STATES.forEach(state -> counts.put(state, 0L));
    try (PreparedStatement statement = connection.prepareStatement(OPERATIONS);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        counts.put(row.getString(1), row.getLong(2));
      }
    }
    return counts;
  }

  private static List<String> findings(String slotName, @Nullable Slot slot) {
    List<String> findings = new ArrayList<>();
    if (slot == null) {
      findings.add(
          "replication slot \""
              + slotName
              + "\" does not exist: no relay has run here, or it was dropped. Start the relay;"
              + " it makes the slot");
    } else if (slot.walStatus().equals("lost")) {
      findings.add(
          "replication slot \""
              + slotName
              + "\" is lost: PostgreSQL has removed log that it needs. See the relay's health for"
              + " what it does about it");
    } else if (!slot.active()) {
      findings.add(
          "replication slot \""
              + slotName
              + "\" is not in use: no relay is streaming, and the log is kept. Start the relay");
    }
    return findings;
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }
}
