package dev.onceward.db.sync;

import dev.onceward.db.UuidV7;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Products of the transaction's workspace. Stateless. */
public final class ProductStore {

  private ProductStore() {}

  /**
   * Writes what one page of a platform said; a product that is known already is changed. Safe to
   * repeat.
   *
   * @param readMark of the attempt that read it
   */
  public static void write(
      Connection connection, UUID storeId, UUID readMark, List<ReadProduct> page)
      throws SQLException {
    String sql =
        """
        INSERT INTO onceward.products (id, store_id, external_id, title, price, read_mark) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT ON CONSTRAINT products_external_id
        DO UPDATE SET title = excluded.title, price = excluded.price, read_mark = excluded.read_mark, last_read_at = now()
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (ReadProduct product : page) {
        statement.setObject(1, UuidV7.next());
        statement.setObject(2, storeId);
        statement.setString(3, product.externalId());
        statement.setString(4, product.title());
        statement.setString(5, product.price());
        statement.setObject(6, readMark);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /**
   * Removes the store's products that this attempt did not read.
   *
   * @return how many
   */
  public static int removeOthers(Connection connection, UUID storeId, UUID readMark)
      throws SQLException {
    String sql = "DELETE FROM onceward.products WHERE store_id = ? AND read_mark <> ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, storeId);
      statement.setObject(2, readMark);
      return statement.executeUpdate();
    }
  }

  /** How many products of the store bear that mark. */
  public static int count(Connection connection, UUID storeId, UUID readMark) throws SQLException {
    String sql = "SELECT count(*) FROM onceward.products WHERE store_id = ? AND read_mark = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, storeId);
      statement.setObject(2, readMark);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  /**
   * A page of a store's products, those first that were seen last for the first time.
   *
   * @param after the last id of the page before, or null for the first page
   */
  public static List<Product> list(
      Connection connection, UUID storeId, @Nullable UUID after, int limit) throws SQLException {
    String sql =
        """
        SELECT id, store_id, external_id, title, price, first_read_at, last_read_at FROM onceward.products
        WHERE workspace_id = onceward.current_workspace() AND store_id = ? AND (?::uuid IS NULL OR id < ?)
        ORDER BY id DESC LIMIT ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, storeId);
      statement.setObject(2, after, Types.OTHER);
      statement.setObject(3, after, Types.OTHER);
      statement.setInt(4, limit);
      List<Product> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(
              new Product(
                  row.getObject(1, UUID.class),
                  row.getObject(2, UUID.class),
                  row.getString(3),
                  row.getString(4),
                  row.getString(5),
                  row.getTimestamp(6).toInstant(),
                  row.getTimestamp(7).toInstant()));
        }
      }
      return page;
    }
  }
}
