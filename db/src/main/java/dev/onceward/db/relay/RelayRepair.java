package dev.onceward.db.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Tells a relay that its database was restored or upgraded, which it cannot find out by itself.
 * Stateless; runs in the caller's transaction, as {@code onceward_ops}.
 */
public final class RelayRepair {
  private static final String REPAIR =
      """
      SELECT old_system_identifier, new_system_identifier, old_delivered_snapshot::text,
        old_audited_snapshot::text, renumbered_rows
      FROM onceward.relay_repair(?, ?, ?)
      """;

  private static final String OBJECT_IN_USE = "55006";
  private static final String NO_DATA_FOUND = "P0002";
  private static final String NOT_IN_PREREQUISITE_STATE = "55000";

  /** What happened to the database. */
  public enum Kind {
    /**
     * An older state came back: a backup, a standby that had not received everything, a dump. Kafka
     * may hold events that the database lost, and transaction numbers may be given out twice. The
     * next term compares the whole outbox with Kafka. Failure: chosen after an upgrade, it only
     * costs that comparison.
     */
    RESTORED,
    /**
     * {@code pg_upgrade}: another identifier and another log, the same transactions. What was
     * audited stays so. Failure: chosen after a restore, events could count as audited that are
     * not; it is refused where that shows.
     */
    UPGRADED
  }

  /**
   * What a repair did. Immutable.
   *
   * @param oldSystemIdentifier of the server that the relay knew; null if it knew none
   * @param newSystemIdentifier of this server
   * @param oldDeliveredSnapshot what it had delivered; forgotten by a repair after a restore
   * @param oldAuditedSnapshot what it had audited; forgotten by a repair after a restore
   * @param renumberedRows outbox rows that bore a transaction number which this server has not
   *     given out yet
   */
  public record Done(
      @Nullable Long oldSystemIdentifier,
      long newSystemIdentifier,
      @Nullable String oldDeliveredSnapshot,
      @Nullable String oldAuditedSnapshot,
      long renumberedRows) {}

  private RelayRepair() {}

  /**
   * Repairs and records it.
   *
   * @param relay the name of its replication slot
   * @param repairedBy who does it, 1 to 200 characters
   * @throws RelayRefusedException if there is no such relay, one leads, or the kind cannot be right
   */
  public static Done run(Connection connection, String relay, Kind kind, String repairedBy)
      throws SQLException, RelayRefusedException {
    RelayControl.requireKnown(connection, relay);
    try (PreparedStatement statement = connection.prepareStatement(REPAIR)) {
      statement.setString(1, relay);
      statement.setString(2, kind.name().toLowerCase(Locale.ROOT));
      statement.setString(3, repairedBy);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        long old = row.getLong(1);
        return new Done(
            row.wasNull() ? null : old,
            row.getLong(2),
            row.getString(3),
            row.getString(4),
            row.getLong(5));
      }
    } catch (SQLException e) {
      throw refused(e, relay);
    }
  }

  private static RelayRefusedException refused(SQLException failure, String relay)
      throws SQLException {
    return switch (String.valueOf(failure.getSQLState())) {
      case OBJECT_IN_USE ->
          new RelayRefusedException(
              "A relay leads with the slot \"" + relay + "\"",
              "Stop every relay of that slot, then repair",
              failure);
      case NOT_IN_PREREQUISITE_STATE ->
          new RelayRefusedException(
              "The relay has seen transactions that this server has not had yet, so it was restored"
                  + " and not upgraded",
              "Use --restored",
              failure);
      case NO_DATA_FOUND ->
          new RelayRefusedException(
              "The relay \"" + relay + "\" was removed meanwhile",
              "Nothing is left to do",
              failure);
      default -> throw failure;
    };
  }
}
