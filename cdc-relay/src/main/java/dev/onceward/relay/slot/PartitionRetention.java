package dev.onceward.relay.slot;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Drops the outbox's partitions that are older than the retention and proven to be in Kafka, by the
 * functions that the migrations bring. Stateless.
 */
public final class PartitionRetention {
  private static final String OLD = "SELECT partition_name FROM onceward.outbox_old_partitions(%s)";
  private static final String DROP = "SELECT onceward.outbox_drop_partition(?, %s)";
  private static final String DELETE = "SELECT onceward.outbox_delete_old_default_rows(%s, ?)";
  private static final String SECONDS = "make_interval(secs => ?)";

  private static final String DROPPED = "dropped";
  private static final String LOCKED = "locked";

  /** A batch answers within the session's patience, even on a slow disk. */
  private static final int BATCH_ROWS = 1_000;

  /** The rest is left to the next call, so that one call stays short. */
  private static final int BATCHES = 10;

  /**
   * What one call did. Immutable.
   *
   * @param dropped the partitions that are gone
   * @param left partition → why it is still there: {@code locked} (somebody held the table) or
   *     {@code not_audited}
   * @param rowsDeleted of the DEFAULT partition
   */
  public record Outcome(List<String> dropped, Map<String, String> left, int rowsDeleted) {
    /** Copies what it is given. */
    public Outcome {
      dropped = List.copyOf(dropped);
      left = Map.copyOf(left);
    }
  }

  private PartitionRetention() {}

  /**
   * Drops what is old and audited, and leaves the rest for the next call. A writer waits for it for
   * at most 200 ms in all: after one partition that somebody holds, no other is tried.
   *
   * @param session in autocommit: each partition is a transaction of its own
   * @param retention at least a day
   */
  public static Outcome enforce(RelaySession session, Duration retention) throws SQLException {
    List<String> dropped = new ArrayList<>();
    Map<String, String> left = new LinkedHashMap<>();
    boolean held = false;
    for (String partition : old(session, retention)) {
      String outcome = held ? LOCKED : drop(session, partition, retention);
      held |= outcome.equals(LOCKED);
      if (outcome.equals(DROPPED)) {
        dropped.add(partition);
      } else if (!outcome.equals("absent")) {
        left.put(partition, outcome);
      }
    }
    return new Outcome(dropped, left, deleteFromDefault(session, retention));
  }

  private static List<String> old(RelaySession session, Duration retention) throws SQLException {
    try (PreparedStatement query = session.connection().prepareStatement(OLD.formatted(SECONDS))) {
      query.setLong(1, retention.toSeconds());
      List<String> names = new ArrayList<>();
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          names.add(row.getString(1));
        }
      }
      return names;
    }
  }

  private static String drop(RelaySession session, String partition, Duration retention)
      throws SQLException {
    try (PreparedStatement call = session.connection().prepareStatement(DROP.formatted(SECONDS))) {
      call.setString(1, partition);
      call.setLong(2, retention.toSeconds());
      try (ResultSet row = call.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  private static int deleteFromDefault(RelaySession session, Duration retention)
      throws SQLException {
    int deleted = 0;
    try (PreparedStatement call =
        session.connection().prepareStatement(DELETE.formatted(SECONDS))) {
      call.setLong(1, retention.toSeconds());
      call.setInt(2, BATCH_ROWS);
      for (int batch = 0; batch < BATCHES; batch++) {
        int now;
        try (ResultSet row = call.executeQuery()) {
          row.next();
          now = row.getInt(1);
        }
        deleted += now;
        if (now < BATCH_ROWS) {
          break;
        }
      }
    }
    return deleted;
  }
}
