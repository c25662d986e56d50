package dev.onceward.relay.slot;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The relay's slot, by name. Confined to the session's thread. */
public final class ReplicationSlot {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicationSlot.class);

  private static final String IDENTITY =
      """
      SELECT plugin, database, current_database() AS own_database, temporary, two_phase
      FROM pg_replication_slots WHERE slot_name = ?
      """;

  private static final String STATUS =
      """
      SELECT coalesce(active_pid, 0) AS active_pid,
        coalesce(wal_status, 'reserved') AS wal_status,
        -- By name from JSON: the columns differ between the versions of the server.
        coalesce(to_jsonb(s) ->> 'invalidation_reason',
          CASE WHEN (to_jsonb(s) ->> 'conflicting')::boolean THEN 'conflict' END) AS lost_because,
        coalesce(confirmed_flush_lsn - '0/0'::pg_lsn, 0)::bigint AS confirmed_lsn,
        coalesce(pg_current_wal_lsn() - restart_lsn, 0)::bigint AS retained_bytes,
        coalesce(pg_current_wal_lsn() - confirmed_flush_lsn, 0)::bigint AS lag_bytes,
        safe_wal_size,
        -- Each transaction that has written holds the lock of its own id, a prepared one too. (A snapshot
        -- does not list those that began after the last one that ended.)
        ARRAY(SELECT DISTINCT l.transactionid::text::bigint FROM pg_locks l
          WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted) AS running
      FROM pg_replication_slots AS s WHERE slot_name = ?
      """;

  /** What {@link #ensure} found or did. */
  public enum Readiness {
    /** It was there. */
    PRESENT,
    /** It was missing and has been made. Failure: events committed before are not streamed. */
    MADE,
    /** It was lost, dropped and made again. Failure: as with {@link #MADE}. */
    REMADE
  }

  private final String name;
  private final SlotMaker maker;
  private final OpenTransactions openTransactions = new OpenTransactions();

  /** Dropped by us, and not yet made again. */
  private boolean dropped;

  public ReplicationSlot(String name) {
    this.name = name;
    this.maker = new SlotMaker(name);
  }

  /**
   * Makes the slot if it is missing, deals with a lost one, and checks that it is one the relay can
   * stream from.
   *
   * @param beforeMaking called before it is made, with how long that may take
   * @throws NotPreparedException if it is another's slot, or lost and not to be repaired
   * @throws SQLException if it cannot be made now, because a transaction stays open or the server
   *     has no slot left
   */
  public Readiness ensure(RelaySession session, Consumer<Duration> beforeMaking, SlotLoss slotLoss)
      throws SQLException, NotPreparedException {
    if (check(session)) {
      Optional<SlotStatus> lost = status(session).filter(SlotStatus::lost);
      if (lost.isEmpty()) {
        return Readiness.PRESENT;
      }
      dropLost(session, lost.get(), slotLoss);
    }
    beforeMaking.accept(SlotMaker.CREATION_PATIENCE.plus(RelaySession.PATIENCE));
    boolean made = maker.create(session);
    check(session);
    Readiness readiness = !made ? Readiness.PRESENT : dropped ? Readiness.REMADE : Readiness.MADE;
    dropped = false;
    return readiness;
  }

  private void dropLost(RelaySession session, SlotStatus lost, SlotLoss slotLoss)
      throws SQLException, NotPreparedException {
    String reason = lost.lostBecause().map(because -> " (" + because + ")").orElse("");
    if (slotLoss == SlotLoss.STOP) {
      throw new NotPreparedException(
          "The slot \""
              + name
              + "\" is lost"
              + reason
              + ": PostgreSQL removed log that the relay had not read",
          "Raise max_slot_wal_keep_size if it was too small, then start once with"
              + " onceward.relay.slot-loss=repair, or drop the slot with SELECT"
              + " pg_drop_replication_slot('"
              + name
              + "') and start the relay: it makes a new one, and the audit fills the gap from the"
              + " outbox (see \"A lost slot\" in docs/operations.md)",
          null);
    }
    LOG.error(
        "The slot \"{}\" is lost{}: PostgreSQL removed log that the relay had not read. It is"
            + " dropped and made again; the audit fills the gap from the outbox. Raise"
            + " max_slot_wal_keep_size, or find out why the relay was so far behind.",
        name,
        reason);
    drop(session);
  }

  /**
   * Drops the slot and makes it again: for a slot that is older than the publication, or that fails
   * at one position again and again. The audit fills the gap.
   *
   * @param beforeMaking called before it is made, with how long that may take
   * @throws NotPreparedException if it is another's slot
   * @throws SQLException also if it is in use, or cannot be made now; {@link #ensure} then makes it
   *     later
   */
  public Readiness remake(RelaySession session, Consumer<Duration> beforeMaking)
      throws SQLException, NotPreparedException {
    if (check(session)) {
      LOG.warn("The slot \"{}\" is dropped and made again; the audit fills the gap.", name);
      drop(session);
    }
    return ensure(session, beforeMaking, SlotLoss.STOP);
  }

  private void drop(RelaySession session) throws SQLException {
    try (PreparedStatement drop =
        session.connection().prepareStatement("SELECT pg_drop_replication_slot(?)")) {
      drop.setString(1, name);
      drop.execute();
    }
    dropped = true;
  }

  /**
   * Whether a stream failed because the publication was made after the slot's position: the server
   * then says that it does not exist, although it does. Remaking the slot mends that. (Server 18
   * skips such changes without a word instead, and the audit fills them.)
   */
  public boolean isOlderThanPublication(RelaySession session, Throwable failure)
      throws SQLException {
    if (!DatabaseFailures.UNDEFINED_OBJECT.equals(DatabaseFailures.sqlState(failure))) {
      return false;
    }
    String both =
        """
        SELECT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = ?)
          AND EXISTS (SELECT FROM pg_publication WHERE pubname = ?)
        """;
    try (PreparedStatement query = session.connection().prepareStatement(both)) {
      query.setString(1, name);
      query.setString(2, Preflight.PUBLICATION);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /**
   * Moves the slot forward to a position that is known to be delivered: after a crash of the server
   * it can lie far behind what was confirmed. One that is there already stays where it is.
   *
   * @param lsn a position of this server's log, such as {@code 0/16B3748}
   * @param beforeMoving called if it is to be moved, with how long that may take
   * @return whether it was moved
   * @throws NotPreparedException if the position is ahead of the log: the server was set back
   * @throws SQLException also if somebody streams from the slot
   */
  public boolean advanceTo(RelaySession session, String lsn, Consumer<Duration> beforeMoving)
      throws SQLException, NotPreparedException {
    return maker.advance(session, lsn, beforeMoving);
  }

  /**
   * Ends a process that still streams from the slot, for a successor's take-over.
   *
   * @param pid as seen in {@link SlotStatus#activePid}
   * @return whether it is gone; false if it is not on the slot any more, does not end within three
   *     seconds, or is of a role that ours may not end
   */
  public boolean terminateHolder(RelaySession session, int pid) throws SQLException {
    String end =
        """
        SELECT pg_terminate_backend(active_pid, 3000)
        FROM pg_replication_slots WHERE slot_name = ? AND active_pid = ?
        """;
    try (PreparedStatement statement = session.connection().prepareStatement(end)) {
      statement.setString(1, name);
      statement.setInt(2, pid);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    } catch (SQLException e) {
      if (DatabaseFailures.INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
        LOG.warn(
            "The process {} on the slot \"{}\" is of another role and cannot be ended by the"
                + " relay. End it as that role or as superuser.",
            pid,
            name);
        return false;
      }
      throw e;
    }
  }

  /** The present status; empty if the slot does not exist. */
  public Optional<SlotStatus> status(RelaySession session) throws SQLException {
    try (PreparedStatement query = session.connection().prepareStatement(STATUS)) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(status(row)) : Optional.empty();
      }
    }
  }

  private SlotStatus status(ResultSet row) throws SQLException {
    String walStatus = row.getString("wal_status");
    Optional<String> lostBecause = Optional.ofNullable(row.getString("lost_because"));
    long safe = row.getLong("safe_wal_size");
    OptionalLong safeWalBytes = row.wasNull() ? OptionalLong.empty() : OptionalLong.of(safe);
    Set<Long> running = new HashSet<>(Arrays.asList((Long[]) row.getArray("running").getArray()));
    return new SlotStatus(
        row.getInt("active_pid"),
        walStatus.equals("lost") || lostBecause.isPresent(),
        row.getLong("confirmed_lsn"),
        row.getLong("retained_bytes"),
        row.getLong("lag_bytes"),
        walStatus,
        lostBecause,
        safeWalBytes,
        openTransactions.seen(running, System.nanoTime()));
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
}
