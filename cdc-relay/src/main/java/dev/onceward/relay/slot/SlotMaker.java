package dev.onceward.relay.slot;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The slow statements about a slot: making it and moving it. Stateless but for its name. */
final class SlotMaker {
  private static final Logger LOG = LoggerFactory.getLogger(SlotMaker.class);

  /** Making a slot waits for every transaction that is open at that moment. */
  static final Duration CREATION_PATIENCE = Duration.ofSeconds(60);

  /** Moving it decodes the log in between. */
  private static final Duration ADVANCE_PATIENCE = Duration.ofSeconds(60);

  private static final String ADVANCE =
      """
      SELECT pg_replication_slot_advance(slot_name, ?::pg_lsn)
      FROM pg_replication_slots WHERE slot_name = ? AND confirmed_flush_lsn < ?::pg_lsn
      """;

  private static final String PLACE =
      """
      SELECT ?::pg_lsn > pg_current_wal_insert_lsn() AS ahead_of_log,
        confirmed_flush_lsn < ?::pg_lsn AS behind
      FROM pg_replication_slots WHERE slot_name = ?
      """;

  private final String name;

  SlotMaker(String name) {
    this.name = name;
  }

  /** False if another relay was quicker. */
  boolean create(RelaySession session) throws SQLException {
    boolean failover = session.connection().getMetaData().getDatabaseMajorVersion() >= 17;
    String create =
        failover
            ? "SELECT lsn FROM pg_create_logical_replication_slot(?, 'pgoutput', failover => true)"
            : "SELECT lsn FROM pg_create_logical_replication_slot(?, 'pgoutput')";
    session.patience(CREATION_PATIENCE.plus(RelaySession.PATIENCE));
    try (PreparedStatement statement = session.connection().prepareStatement(create)) {
      statement.setQueryTimeout(Math.toIntExact(CREATION_PATIENCE.toSeconds()));
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        LOG.warn(
            "The slot \"{}\" has been made at LSN {}. Events of transactions that committed before are"
                + " not streamed; the audit fills in those that Kafka lacks.",
            name,
            row.getString("lsn"));
      }
      return true;
    } catch (SQLException e) {
      if (DatabaseFailures.DUPLICATE_OBJECT.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    } finally {
      usualPatience(session);
    }
  }

  /** False if it is there already. */
  boolean advance(RelaySession session, String lsn, Consumer<Duration> beforeMoving)
      throws SQLException, NotPreparedException {
    if (!isBehind(session, lsn)) {
      return false;
    }
    beforeMoving.accept(ADVANCE_PATIENCE.plus(RelaySession.PATIENCE));
    session.patience(ADVANCE_PATIENCE.plus(RelaySession.PATIENCE));
    try (PreparedStatement statement = session.connection().prepareStatement(ADVANCE)) {
      statement.setQueryTimeout(Math.toIntExact(ADVANCE_PATIENCE.toSeconds()));
      statement.setString(1, lsn);
      statement.setString(2, name);
      statement.setString(3, lsn);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    } finally {
      usualPatience(session);
    }
  }

  /** The server would move the slot to the end of its log instead, past what nobody has read. */
  private boolean isBehind(RelaySession session, String lsn)
      throws SQLException, NotPreparedException {
    try (PreparedStatement query = session.connection().prepareStatement(PLACE)) {
      query.setString(1, lsn);
      query.setString(2, lsn);
      query.setString(3, name);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        if (row.getBoolean("ahead_of_log")) {
          throw new NotPreparedException(
              "The position that the relay remembers is ahead of the server's log: the database was"
                  + " set back to an older state, or is another server",
              "Run onceward relay repair --restored (see docs/operations.md)",
              null);
        }
        return row.getBoolean("behind");
      }
    }
  }

  private static void usualPatience(RelaySession session) throws SQLException {
    if (!session.connection().isClosed()) {
      session.usualPatience();
    }
  }
}
