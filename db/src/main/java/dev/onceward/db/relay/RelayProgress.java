package dev.onceward.db.relay;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far one relay has come, and how far back the outbox reaches. Immutable.
 *
 * @param relay the name of its replication slot
 * @param now the database's time
 * @param outboxSince the beginning of the oldest daily partition: retention may have dropped events
 *     before it; null if there is no daily partition
 * @param deliveredAt when {@code audited} was taken; null before the first time
 * @param auditedAt when the last audit ended; null before the first time
 * @param audited every transaction that it sees is proven to be in Kafka or parked; null before the
 *     first time
 * @param pinnedPartitions topic → its pinned number of partitions
 */
public record RelayProgress(
    String relay,
    Instant now,
    @Nullable Instant outboxSince,
    @Nullable Instant deliveredAt,
    @Nullable Instant auditedAt,
    @Nullable Snapshot audited,
    Map<String, Integer> pinnedPartitions) {

  private static final String READ =
      """
      SELECT now() AS now, s.delivered_at, s.audited_at, s.audited_snapshot::text,
        (SELECT min(to_date(right(c.relname, 8), 'YYYYMMDD'))::timestamp AT TIME ZONE 'UTC'
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'onceward.outbox_events'::regclass AND c.relname ~ '^outbox_events_\\d{8}$') AS outbox_since,
        ARRAY(SELECT t.key FROM jsonb_each_text(s.topic_partitions) t ORDER BY t.key) AS topics,
        ARRAY(SELECT t.value::int FROM jsonb_each_text(s.topic_partitions) t ORDER BY t.key) AS partitions
      FROM (SELECT) AS one LEFT JOIN onceward.relay_state s ON s.relay = ?
      """;

  public RelayProgress {
    pinnedPartitions = Map.copyOf(pinnedPartitions);
  }

  /** Reads it; a relay that has never run has no times, no snapshot and no topics. */
  public static RelayProgress read(Connection connection, String relay) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(READ)) {
      query.setString(1, relay);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        String audited = row.getString("audited_snapshot");
        return new RelayProgress(
            relay,
            row.getTimestamp("now").toInstant(),
            instant(row.getTimestamp("outbox_since")),
            instant(row.getTimestamp("delivered_at")),
            instant(row.getTimestamp("audited_at")),
            audited == null ? null : Snapshot.parse(audited),
            partitions(row.getArray("topics"), row.getArray("partitions")));
      }
    }
  }

  private static Map<String, Integer> partitions(Array topics, Array counts) throws SQLException {
    String[] names = (String[]) topics.getArray();
    Integer[] partitions = (Integer[]) counts.getArray();
    Map<String, Integer> pinned = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      pinned.put(names[i], partitions[i]);
    }
    return pinned;
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }
}
