package dev.onceward.db.draft;

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

/** Drafts of the transaction's workspace. Stateless. */
public final class DraftStore {

  /** The foreign key that a content with another workspace's or no store violates. */
  public static final String UNKNOWN_STORE = "drafts_store";

  private static final String COLUMNS =
      "id, " + ContentColumns.NAMES + ", revision, created_at, updated_at";

  private DraftStore() {}

  /**
   * Inserts a draft at revision 1.
   *
   * @throws SQLException if a constraint refuses it, {@link #UNKNOWN_STORE} among them
   */
  public static Draft insert(Connection connection, DraftContent content) throws SQLException {
    String sql =
        """
        INSERT INTO onceward.drafts (id, store_id, title, description, price, media_ids) VALUES (?, ?, ?, ?, ?, ?)
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UuidV7.next());
      ContentColumns.bind(statement, 2, content);
      return one(statement)
          .orElseThrow(() -> new IllegalStateException("the draft was just written"));
    }
  }

  /**
   * Replaces the content if the draft is still at that revision, and counts it up.
   *
   * @return the changed row, or empty if the workspace has no such draft or it is at another
   *     revision
   */
  public static Optional<Draft> replace(
      Connection connection, UUID draftId, int revision, DraftContent content) throws SQLException {
    String sql =
        """
        UPDATE onceward.drafts
        SET store_id = ?, title = ?, description = ?, price = ?, media_ids = ?, revision = revision + 1, updated_at = now()
        WHERE id = ? AND revision = ?
        RETURNING\s"""
            + COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      ContentColumns.bind(statement, 1, content);
      statement.setObject(6, draftId);
      statement.setInt(7, revision);
      return one(statement);
    }
  }

  /** The draft, or empty if the workspace has none of that id. */
  public static Optional<Draft> find(Connection connection, UUID draftId) throws SQLException {
    String sql = "SELECT " + COLUMNS + " FROM onceward.drafts WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, draftId);
      return one(statement);
    }
  }

  /**
   * A page of drafts, newest first.
   *
   * @param storeId only those of this store, or null
   * @param after the last id of the page before, or null for the first page
   */
  public static List<Draft> list(
      Connection connection, @Nullable UUID storeId, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + COLUMNS
            + """
               FROM onceward.drafts
              WHERE workspace_id = onceward.current_workspace() AND (?::uuid IS NULL OR store_id = ?)
                AND (?::uuid IS NULL OR id < ?)
              ORDER BY id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, storeId, Types.OTHER);
      statement.setObject(2, storeId, Types.OTHER);
      statement.setObject(3, after, Types.OTHER);
      statement.setObject(4, after, Types.OTHER);
      statement.setInt(5, limit);
      List<Draft> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  private static Optional<Draft> one(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(read(row)) : Optional.empty();
    }
  }

  private static Draft read(ResultSet row) throws SQLException {
    return new Draft(
        row.getObject("id", UUID.class),
        ContentColumns.read(row),
        row.getInt("revision"),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant());
  }
}
