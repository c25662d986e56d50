package dev.onceward.ops.offsets;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where slot and relay stand. Immutable.
 *
 * @param slot the replication slot; null if it does not exist
 * @param watermark up to where everything is delivered; null if no relay has ever run
 * @param audit up to where that is verified; null likewise
 */
public record PipelinePositions(
    @Nullable Slot slot, @Nullable Watermark watermark, @Nullable Audit audit) {

  // On a standby the current position is the one replayed.
  private static final String SLOT =
      """
      SELECT slot_name, active, confirmed_flush_lsn::text, restart_lsn::text,
        coalesce(pg_wal_lsn_diff(here.lsn, confirmed_flush_lsn), 0)::bigint AS lag
      FROM pg_replication_slots
      CROSS JOIN (SELECT CASE WHEN pg_is_in_recovery()
        THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END AS lsn) AS here
      WHERE slot_name = ? AND database = current_database()
      """;

  private static final String RELAY =
      """
      SELECT delivered_lsn::text, delivered_snapshot::text, delivered_at, audited_snapshot::text, audited_at
      FROM onceward.relay_state WHERE relay = ?
      """;

  /**
   * @param name of the slot
   * @param active whether a relay streams from it
   * @param confirmedLsn up to where the relay has confirmed
   * @param restartLsn from where PostgreSQL keeps its log for it
   * @param lagBytes log behind what is confirmed
   */
  public record Slot(
      String name,
      boolean active,
      @Nullable String confirmedLsn,
      @Nullable String restartLsn,
      long lagBytes) {}

  /**
   * @param lsn the position of the watermark that came back last
   * @param snapshot the transactions that are delivered
   * @param at when the snapshot was taken
   */
  public record Watermark(@Nullable String lsn, @Nullable String snapshot, @Nullable Instant at) {}

  /**
   * @param snapshot the transactions whose delivery is verified
   * @param at when that was
   */
  public record Audit(@Nullable String snapshot, @Nullable Instant at) {}

  /** Of the relay with that slot. */
  public static PipelinePositions read(Connection connection, String relay) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(RELAY)) {
      query.setString(1, relay);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          return new PipelinePositions(slot(connection, relay), null, null);
        }
        return new PipelinePositions(
            slot(connection, relay),
            new Watermark(row.getString(1), row.getString(2), instant(row.getTimestamp(3))),
            new Audit(row.getString(4), instant(row.getTimestamp(5))));
      }
    }
  }

  private static @Nullable Slot slot(Connection connection, String name) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(SLOT)) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        return row.next()
            ? new Slot(
                row.getString(1),
                row.getBoolean(2),
                row.getString(3),
                row.getString(4),
                row.getLong(5))
            : null;
      }
    }
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }
}
