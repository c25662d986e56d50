package dev.onceward.relay.park;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.relay.slot.NotPreparedException;
import dev.onceward.relay.slot.RelaySession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * A second session of a term, for transactions. What writes checks first, in its transaction, that
 * the term's session still holds the leader's lock, and on the same server. Thread-safe: one at a
 * time. Once broken it stays so, and the term ends.
 */
final class ParkedSession implements AutoCloseable {
  private static final String LEADS =
      "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = ?)";

  private final RelaySession session;
  private final int termPid;

  private ParkedSession(RelaySession session, int termPid) {
    this.session = session;
    this.termPid = termPid;
  }

  /**
   * Takes a session of its own.
   *
   * @param term holds the lock
   */
  static ParkedSession open(RelaySession term, Opener opener)
      throws SQLException, NotPreparedException {
    int[] pid = new int[1];
    term.run(
        connection -> {
          try (Statement query = connection.createStatement();
              ResultSet row = query.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            pid[0] = row.getInt(1);
          }
        });
    return new ParkedSession(opener.open(), pid[0]);
  }

  /** Opens sessions with the database. */
  @FunctionalInterface
  interface Opener {
    RelaySession open() throws SQLException, NotPreparedException;
  }

  /** Asks across all workspaces. */
  synchronized <T> T ask(RelaySession.Question<T> question) {
    return session.callUnchecked(question);
  }

  /**
   * Writes in one transaction.
   *
   * @throws dev.onceward.relay.slot.SessionBrokenException if the database does not answer, or the
   *     term is over; nothing is written then
   */
  synchronized <T> T write(RelaySession.Question<T> work) {
    return session.callUnchecked(
        connection -> {
          connection.setAutoCommit(false);
          try {
            requireTerm(connection);
            T result = work.ask(connection);
            connection.commit();
            return result;
          } catch (SQLException | RuntimeException e) {
            session.close();
            throw e;
          } finally {
            if (!connection.isClosed()) {
              connection.setAutoCommit(true);
            }
          }
        });
  }

  /** Writes in one transaction, within one workspace. */
  <T> T write(UUID workspaceId, RelaySession.Question<T> work) {
    return write(
        connection -> {
          WorkspaceContext.set(connection, workspaceId);
          return work.ask(connection);
        });
  }

  private void requireTerm(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(LEADS)) {
      query.setInt(1, termPid);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        if (!row.getBoolean(1)) {
          throw new SQLException("the session that leads is gone from this server", "08003");
        }
      }
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
