package dev.onceward.db.draft;

import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** The columns that drafts and publications share, in one order. */
final class ContentColumns {

  static final String NAMES = "store_id, title, description, price, media_ids";

  private ContentColumns() {}

  /** Binds five parameters in the order of {@link #NAMES}. */
  static void bind(PreparedStatement statement, int first, DraftContent content)
      throws SQLException {
    statement.setObject(first, content.storeId());
    statement.setString(first + 1, content.title());
    statement.setString(first + 2, content.description());
    statement.setString(first + 3, content.price());
    statement.setArray(
        first + 4,
        statement.getConnection().createArrayOf("uuid", content.mediaIds().toArray(UUID[]::new)));
  }

  static DraftContent read(ResultSet row) throws SQLException {
    Array mediaIds = row.getArray("media_ids");
    return new DraftContent(
        row.getObject("store_id", UUID.class),
        row.getString("title"),
        row.getString("description"),
        row.getString("price"),
        List.of((UUID[]) mediaIds.getArray()));
  }
}
