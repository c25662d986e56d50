package dev.onceward.relay.slot;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes the outbox's daily partitions ahead, by the function that the migrations bring. Stateless.
 */
public final class PartitionMaker {
  private static final String CREATE =
      "SELECT partition_name, outcome FROM onceward.outbox_create_partitions(?, ?)";

  /** Yesterday, for writers whose clocks are behind. */
  private static final int FIRST_DAY = -1;

  private static final int LAST_DAY = 7;

  private PartitionMaker() {}

  /**
   * Makes what is missing. A partition that cannot be made now, because somebody holds the DEFAULT
   * partition, is left for the next call; writers never wait for it.
   *
   * @return partition → why it is not there: {@code locked} or {@code default_has_rows}
   */
  public static Map<String, String> makeMissing(RelaySession session) throws SQLException {
    Map<String, String> missing = new LinkedHashMap<>();
    try (PreparedStatement call = session.connection().prepareStatement(CREATE)) {
      // Day by day: each is a short transaction, and answers within the session's patience.
      for (int day = FIRST_DAY; day <= LAST_DAY; day++) {
        call.setInt(1, day);
        call.setInt(2, day);
        try (ResultSet row = call.executeQuery()) {
          while (row.next()) {
            String outcome = row.getString("outcome");
            if (!outcome.equals("created") && !outcome.equals("present")) {
              missing.put(row.getString("partition_name"), outcome);
            }
          }
        }
      }
    }
    return missing;
  }
}
