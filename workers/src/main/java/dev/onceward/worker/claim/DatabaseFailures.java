package dev.onceward.worker.claim;

import dev.onceward.db.SqlStates;
import java.sql.SQLException;

/** Tells failures of the database's state from refusals of what was written. */
final class DatabaseFailures {

  private DatabaseFailures() {}

  /**
   * Whether no transaction would fare better now, and this one may even have been committed. A
   * conflict is neither: it was rolled back, and others may pass.
   */
  static boolean away(SQLException failure) {
    return passing(failure) && !String.valueOf(failure.getSQLState()).startsWith("40");
  }

  /**
   * Whether the same transaction may succeed later: the database is away, stops, is read-only after
   * a failover, is short of something, was in conflict, or was cancelled.
   */
  static boolean passing(SQLException failure) {
    String state = failure.getSQLState();
    if (state == null || state.length() < 2) {
      return true; // of the driver or the pool, not of the server
    }
    return SqlStates.isUnavailable(failure)
        || switch (state.substring(0, 2)) {
          case "08", "25", "40", "53", "55", "57", "58" -> true;
          default -> false;
        };
  }
}
