package dev.onceward.db.test;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * What a connection tells of values that the server refuses. The server's detail and the driver's
 * message of a failed batch quote them, and whatever is in an exception may end in a log.
 */
public final class RefusedValues {

  /** One word: the server quotes no more of what is no JSON. */
  private static final String VALUE = "refusedvaluemarker";

  private RefusedValues() {}

  /**
   * Has a value refused, alone and in a batch.
   *
   * @param connection of whatever role; outside a transaction
   * @throws AssertionError if a failure quotes the value
   */
  public static void assertUntold(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT ?::text::json")) {
      statement.setString(1, VALUE);
      assertUntold(statement::execute);
      statement.addBatch();
      assertUntold(statement::executeBatch);
    }
  }

  private static void assertUntold(Refused refused) throws SQLException {
    try {
      refused.run();
    } catch (SQLException failure) {
      for (Throwable each : failure) {
        if (String.valueOf(each.getMessage()).contains(VALUE)) {
          throw new AssertionError("the failure quotes the value", failure);
        }
      }
      return;
    }
    throw new AssertionError("the value was not refused");
  }

  @FunctionalInterface
  private interface Refused {
    void run() throws SQLException;
  }
}
