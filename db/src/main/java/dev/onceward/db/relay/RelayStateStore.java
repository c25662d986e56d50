package dev.onceward.db.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The row of one relay in {@code relay_state}. Stateless but for the relay's name. */
public final class RelayStateStore {

  private final String relay;

  /**
   * The state of one relay.
   *
   * @param relay the name of its replication slot
   */
  public RelayStateStore(String relay) {
    this.relay = relay;
  }

  /** Makes the row if it is missing. */
  public void ensureExists(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO onceward.relay_state (relay) VALUES (?) ON CONFLICT (relay) DO NOTHING")) {
      statement.setString(1, relay);
      statement.executeUpdate();
    }
  }

  /**
   * Reads the row.
   *
   * @throws IllegalStateException if there is none
   */
  public RelayState load(Connection connection) throws SQLException {
    String sql =
        """
        SELECT system_identifier, delivered_lsn::text, audited_snapshot::text, kafka_positions::text, slot_gap,
          ARRAY(SELECT jsonb_object_keys(topic_partitions)) AS topics
        FROM onceward.relay_state WHERE relay = ?
        """;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, relay);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          throw noRow();
        }
        return new RelayState(
            row.getObject("system_identifier", Long.class),
            row.getString("delivered_lsn"),
            row.getString("audited_snapshot"),
            row.getString("kafka_positions"),
            row.getBoolean("slot_gap"),
            topics(row));
      }
    }
  }

  private static Set<String> topics(ResultSet row) throws SQLException {
    return new TreeSet<>(Set.of((String[]) row.getArray("topics").getArray()));
  }

  /** Notes the server that this relay belongs to. */
  public void claimServer(Connection connection, long systemIdentifier) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE onceward.relay_state SET system_identifier = ? WHERE relay = ?")) {
      statement.setLong(1, systemIdentifier);
      statement.setString(2, relay);
      requireRow(statement.executeUpdate());
    }
  }

  /**
   * What has been delivered and checked.
   *
   * @param snapshot every transaction that it sees is in Kafka or parked
   * @param lsn the position of the watermark that showed it, or null if none did
   * @param at when the snapshot was taken
   * @param kafkaPositions from where Kafka holds what the snapshot does not see, as JSON
   */
  public record Audited(
      Snapshot snapshot, @Nullable String lsn, Instant at, String kafkaPositions) {}

  /**
   * Notes progress.
   *
   * @throws IllegalStateException if the row has vanished; nothing that it vouched for is lost, the
   *     next term reads everything again
   */
  public void advance(Connection connection, Audited audited) throws SQLException {
    String sql =
        """
        UPDATE onceward.relay_state
        SET delivered_snapshot = ?::pg_snapshot, delivered_lsn = coalesce(?::pg_lsn, delivered_lsn),
          delivered_at = ?, audited_snapshot = ?::pg_snapshot, audited_at = now(), kafka_positions = ?::json
        WHERE relay = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, audited.snapshot().toString());
      if (audited.lsn() == null) {
        statement.setNull(2, Types.VARCHAR);
      } else {
        statement.setString(2, audited.lsn());
      }
      statement.setObject(3, audited.at().atOffset(ZoneOffset.UTC));
      statement.setString(4, audited.snapshot().toString());
      statement.setString(5, audited.kafkaPositions());
      statement.setString(6, relay);
      requireRow(statement.executeUpdate());
    }
  }

  /**
   * Notes that the slot is about to be made. A relay without a row needs no note: it begins with
   * nothing audited.
   */
  public void openGap(Connection connection) throws SQLException {
    int unused = setGap(connection, true);
  }

  /** Notes that what the slot will not bring is in Kafka or parked. */
  public void closeGap(Connection connection) throws SQLException {
    requireRow(setGap(connection, false));
  }

  private int setGap(Connection connection, boolean open) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE onceward.relay_state SET slot_gap = ? WHERE relay = ?")) {
      statement.setBoolean(1, open);
      statement.setString(2, relay);
      return statement.executeUpdate();
    }
  }

  private void requireRow(int updated) {
    if (updated != 1) {
      throw noRow();
    }
  }

  private IllegalStateException noRow() {
    return new IllegalStateException("relay_state has no row for relay %s".formatted(relay));
  }

  /**
   * The partition count that {@code topic} is pinned to; the first caller's {@code currentCount}
   * pins it. Another count moves aggregates to other partitions, so it changes only by an
   * operator's step.
   */
  public int pinPartitions(Connection connection, String topic, int currentCount)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.relay_state
        SET topic_partitions = jsonb_build_object(?::text, ?::int) || topic_partitions
        WHERE relay = ?
        RETURNING (topic_partitions ->> ?)::int
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, topic);
      statement.setInt(2, currentCount);
      statement.setString(3, relay);
      statement.setString(4, topic);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw noRow();
        }
        return row.getInt(1);
      }
    }
  }

  /** Topic → the partition count that it is pinned to; empty if this relay has never sent. */
  public Map<String, Integer> pinnedPartitions(Connection connection) throws SQLException {
    String sql =
        """
        SELECT t.key, t.value::int FROM onceward.relay_state s CROSS JOIN jsonb_each_text(s.topic_partitions) AS t
        WHERE s.relay = ?
        """;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, relay);
      try (ResultSet row = query.executeQuery()) {
        Map<String, Integer> pinned = new TreeMap<>();
        while (row.next()) {
          pinned.put(row.getString(1), row.getInt(2));
        }
        return pinned;
      }
    }
  }
}
