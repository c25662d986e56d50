package dev.onceward.db.media;

import dev.onceward.db.UuidV7;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Material transfers of the transaction's workspace. Stateless. */
public final class MaterialTransferStore {

  private static final String COLUMNS =
      "id, source_url, file_name, status, media_id, created_at, updated_at";

  private MaterialTransferStore() {}

  /**
   * Adds a transfer that nobody has begun.
   *
   * @param sourceUrl as {@link MaterialTransfer} describes it
   * @param fileName null for none
   */
  public static MaterialTransfer insert(
      Connection connection, String sourceUrl, @Nullable String fileName) throws SQLException {
    String sql =
        "INSERT INTO onceward.material_transfers (id, source_url, file_name) VALUES (?, ?, ?) RETURNING "
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UuidV7.next());
      statement.setString(2, sourceUrl);
      statement.setString(3, fileName);
      return one(statement).orElseThrow();
    }
  }

  /** The transfer, or empty if the workspace has none of that id. */
  public static Optional<MaterialTransfer> find(Connection connection, UUID transferId)
      throws SQLException {
    String sql = "SELECT " + COLUMNS + " FROM onceward.material_transfers WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, transferId);
      return one(statement);
    }
  }

  /** The transfer under a lock that lasts to the end of the transaction. */
  public static Optional<MaterialTransfer> findLocked(Connection connection, UUID transferId)
      throws SQLException {
    String sql = "SELECT " + COLUMNS + " FROM onceward.material_transfers WHERE id = ? FOR UPDATE";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, transferId);
      return one(statement);
    }
  }

  /**
   * A page of transfers, newest first.
   *
   * @param after the last id of the page before, or null for the first page
   */
  public static List<MaterialTransfer> list(Connection connection, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + """
               FROM onceward.material_transfers
              WHERE workspace_id = onceward.current_workspace() AND (?::uuid IS NULL OR id < ?)
              ORDER BY id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, after, Types.OTHER);
      statement.setObject(2, after, Types.OTHER);
      statement.setInt(3, limit);
      List<MaterialTransfer> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  /**
   * Names the result, in the transaction that stores it.
   *
   * @return false if the transfer has one already or does not exist
   */
  public static boolean recordStored(Connection connection, UUID transferId, UUID mediaId)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.material_transfers SET status = 'stored', media_id = ?, updated_at = now()
        WHERE id = ? AND status = 'requested'
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, mediaId);
      statement.setObject(2, transferId);
      return statement.executeUpdate() == 1;
    }
  }

  private static Optional<MaterialTransfer> one(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(read(row)) : Optional.empty();
    }
  }

  private static MaterialTransfer read(ResultSet row) throws SQLException {
    return new MaterialTransfer(
        row.getObject("id", UUID.class),
        row.getString("source_url"),
        row.getString("file_name"),
        row.getString("status"),
        row.getObject("media_id", UUID.class),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant());
  }
}
