package dev.onceward.ops.doctor;

import java.sql.Connection;
import java.sql.SQLException;

/** A question to PostgreSQL. */
@FunctionalInterface
interface DatabaseCheck {
  /**
   * Asks it; changes nothing.
   *
   * @throws SQLException when it cannot be asked, which is a failed check as well
   */
  Answer ask(Connection connection) throws SQLException;
}
