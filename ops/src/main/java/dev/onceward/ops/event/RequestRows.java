package dev.onceward.ops.event;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads rows of answered requests and of receipts. */
final class RequestRows {
  private RequestRows() {}

  /** Of the columns kept_as, endpoint, key, at, status, response_status. */
  static RequestLife read(ResultSet row) throws SQLException {
    int answered = row.getInt("response_status");
    Integer answerStatus = row.wasNull() ? null : answered;
    return new RequestLife(
        row.getString("kept_as"),
        row.getString("endpoint"),
        row.getString("key"),
        row.getTimestamp("at").toInstant(),
        row.getString("status"),
        answerStatus);
  }
}
