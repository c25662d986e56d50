package dev.onceward.db.cleanup;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The sorts of rows that are deleted when their time is over. Rows that somebody else deletes at
 * the same moment are skipped.
 */
public enum ExpiredRows {
  /** Answers of idempotent writes, once they have expired. */
  IDEMPOTENCY_REQUESTS("idempotency_requests", "onceward.delete_expired_requests"),
  /** Accepted and rejected receipts of hooks, 30 days after their last claim. */
  HOOK_RECEIPTS("hook_receipts", "onceward.delete_old_hook_receipts"),
  /** Accepted and rejected receipts of access keys, 30 days after their last claim. */
  API_RECEIPTS("api_receipts", "onceward.delete_old_api_receipts"),
  /** Uploads that were not completed, with their bytes, 7 days after their last change. */
  ABANDONED_UPLOADS("media", "onceward.delete_abandoned_uploads", 20);

  private final String table;
  private final String function;
  private final int largestBatch;

  ExpiredRows(String table, String function) {
    this(table, function, Integer.MAX_VALUE);
  }

  ExpiredRows(String table, String function, int largestBatch) {
    this.table = table;
    this.function = function;
    this.largestBatch = largestBatch;
  }

  /** How many are deleted in one transaction at most: a row may be large. */
  public int largestBatch() {
    return largestBatch;
  }

  /** The table's name, for metrics and logs. */
  public String table() {
    return table;
  }

  /**
   * Deletes a batch in the caller's transaction, which needs no workspace.
   *
   * @param atMost the size of the batch
   * @return how many were deleted; fewer than the size when there are no more
   */
  public int delete(Connection connection, int atMost) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT " + function + "(?)")) {
      statement.setInt(1, atMost);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
