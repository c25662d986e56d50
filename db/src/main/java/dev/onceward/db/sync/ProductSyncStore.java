package dev.onceward.db.sync;

import dev.onceward.db.operation.OperationState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Product syncs of the transaction's workspace. Stateless. */
public final class ProductSyncStore {

  /** The kind of a sync's operation. */
  public static final String OPERATION_KIND = "sync_products";

  /** The type of its subject, which the unique index works on: the store. */
  public static final String SUBJECT_TYPE = "store";

  /** The unique index that refuses a second active operation of a store. */
  public static final String ONE_ACTIVE = "operations_one_sync_per_store";

  private static final String SELECT =
      """
      SELECT s.id, s.store_id, s.operation_id, o.state, s.product_count, s.completed_at, s.created_at
      FROM onceward.product_syncs s
      JOIN onceward.operations o ON o.workspace_id = s.workspace_id AND o.id = s.operation_id
      """;

  private ProductSyncStore() {}

  /** Inserts a sync; the operation was written before. */
  public static void insert(Connection connection, UUID syncId, UUID operationId, UUID storeId)
      throws SQLException {
    String sql = "INSERT INTO onceward.product_syncs (id, operation_id, store_id) VALUES (?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, syncId);
      statement.setObject(2, operationId);
      statement.setObject(3, storeId);
      statement.executeUpdate();
    }
  }

  /** The sync, or empty if the workspace has none of that id. */
  public static Optional<ProductSync> find(Connection connection, UUID syncId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT + "WHERE s.id = ?")) {
      statement.setObject(1, syncId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /**
   * A page of syncs, newest first.
   *
   * @param storeId only those of this store, or null
   * @param after the last id of the page before, or null for the first page
   */
  public static List<ProductSync> list(
      Connection connection, @Nullable UUID storeId, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        SELECT
            + """
              WHERE s.workspace_id = onceward.current_workspace() AND (?::uuid IS NULL OR s.store_id = ?)
                AND (?::uuid IS NULL OR s.id < ?)
              ORDER BY s.id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, storeId, Types.OTHER);
      statement.setObject(2, storeId, Types.OTHER);
      statement.setObject(3, after, Types.OTHER);
      statement.setObject(4, after, Types.OTHER);
      statement.setInt(5, limit);
      List<ProductSync> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  /**
   * Records the end of a sync.
   *
   * @return false if the workspace has no such sync
   */
  public static boolean recordEnd(Connection connection, UUID syncId, int productCount)
      throws SQLException {
    String sql =
        "UPDATE onceward.product_syncs SET product_count = ?, completed_at = now() WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, productCount);
      statement.setObject(2, syncId);
      return statement.executeUpdate() == 1;
    }
  }

  private static ProductSync read(ResultSet row) throws SQLException {
    Timestamp completedAt = row.getTimestamp("completed_at");
    return new ProductSync(
        row.getObject("id", UUID.class),
        row.getObject("store_id", UUID.class),
        row.getObject("operation_id", UUID.class),
        OperationState.ofLabel(row.getString("state")),
        row.getObject("product_count", Integer.class),
        completedAt == null ? null : completedAt.toInstant(),
        row.getTimestamp("created_at").toInstant());
  }
}
