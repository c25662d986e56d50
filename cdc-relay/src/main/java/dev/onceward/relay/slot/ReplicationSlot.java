package dev.onceward.relay.slot;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The relay's slot, by name. Confined to the session's thread. */
public final class ReplicationSlot {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicationSlot.class);

  /** Making a slot waits for every transaction that is open at that moment. */
  private static final Duration CREATION_PATIENCE = Duration.ofSeconds(60);

  private static final String IDENTITY =
      """
      SELECT plugin, database, current_database() AS own_database, temporary, two_phase
      FROM pg_replication_slots WHERE slot_name = ?
      """;

  private static final String STATUS =
      """
      SELECT coalesce(active_pid, 0) AS active_pid,
        coalesce(wal_status = 'lost', false) AS lost,
        coalesce(confirmed_flush_lsn - '0/0'::pg_lsn, 0)::bigint AS confirmed_lsn,
        coalesce(pg_current_wal_lsn() - restart_lsn, 0)::bigint AS retained_bytes,
        coalesce(pg_current_wal_lsn() - confirmed_flush_lsn, 0)::bigint AS lag_bytes
      FROM pg_replication_slots WHERE slot_name = ?
      """;

  private final String name;

  public ReplicationSlot(String name) {
    this.name = name;
  }

  /**
   * Makes the slot if it is missing and checks that it is one the relay can stream from.
   *
   * @param beforeMaking called before it is made, with how long that may take
   * @return whether it was made
   * @throws NotPreparedException if it is another's slot, or lost
   * @throws SQLException if it cannot be made now, because a transaction stays open or the server
   *     has no slot left
   */
  public boolean ensure(RelaySession session, Consumer<Duration> beforeMaking)
      throws SQLException, NotPreparedException {
    boolean made = false;
    if (!check(session)) {
      beforeMaking.accept(CREATION_PATIENCE.plus(RelaySession.PATIENCE));
      made = create(session);
      check(session);
    }
    if (status(session).map(SlotStatus::lost).orElse(false)) {
      throw new NotPreparedException(
          "The slot \"" + name + "\" is lost: PostgreSQL removed log that the relay had not read",
          "Raise max_slot_wal_keep_size; drop the slot with SELECT pg_drop_replication_slot('"
              + name
              + "') and write the events of the gap again",
          null);
    }
    return made;
  }

  /** The present status; empty if the slot does not exist. */
  public Optional<SlotStatus> status(RelaySession session) throws SQLException {
    try (PreparedStatement query = session.connection().prepareStatement(STATUS)) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        return Optional.of(
            new SlotStatus(
                row.getInt("active_pid"),
                row.getBoolean("lost"),
                row.getLong("confirmed_lsn"),
                row.getLong("retained_bytes"),
                row.getLong("lag_bytes")));
      }
    }
  }

  /** False if there is none of that name. */
  private boolean check(RelaySession session) throws SQLException, NotPreparedException {
    try (PreparedStatement query = session.connection().prepareStatement(IDENTITY)) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        String database = row.getString("database");
        if (!"pgoutput".equals(row.getString("plugin"))
            || !row.getString("own_database").equals(database)
            || row.getBoolean("temporary")
            || row.getBoolean("two_phase")) {
          throw new NotPreparedException(
              "The slot \""
                  + name
                  + "\" exists but is not the relay's: it is of database "
                  + database
                  + " with plugin "
                  + row.getString("plugin"),
              "Choose another onceward.relay.slot-name, or drop that slot",
              null);
        }
        return true;
      }
    }
  }

  private boolean create(RelaySession session) throws SQLException {
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
            "The slot \"{}\" was missing and has been made at LSN {}. Events of transactions that"
                + " committed before are not streamed.",
            name,
            row.getString("lsn"));
      }
      return true;
    } catch (SQLException e) {
      if (DatabaseFailures.DUPLICATE_OBJECT.equals(e.getSQLState())) {
        return false; // Another relay was quicker.
      }
      throw e;
    } finally {
      if (!session.connection().isClosed()) {
        session.usualPatience();
      }
    }
  }
}
