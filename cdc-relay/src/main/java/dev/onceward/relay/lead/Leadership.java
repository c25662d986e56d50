package dev.onceward.relay.lead;

import dev.onceward.relay.slot.RelaySession;
import dev.onceward.relay.slot.SessionBrokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * One term: a session that holds the lock. {@link #require} may be called by any thread, the rest
 * belongs to the session's.
 */
public final class Leadership {
  /** How long the server lets a silent leader keep its lock. */
  private static final Duration SILENCE = Duration.ofSeconds(4);

  /** An answer older than this must be renewed before the next send. */
  private static final Duration FRESH = Duration.ofSeconds(2);

  private static final String TRY_LOCK =
      "SELECT pg_try_advisory_lock(hashtextextended('onceward relay ' || ?, 0))";

  private final RelaySession session;
  private volatile long answeredNanos = System.nanoTime();

  private Leadership(RelaySession session) {
    this.session = session;
  }

  /**
   * Tries to become the leader of a slot.
   *
   * @return whether this session leads now
   */
  public static boolean tryAcquire(RelaySession session, String slotName) throws SQLException {
    boolean[] acquired = new boolean[1];
    session.run(connection -> acquired[0] = tryLock(connection, slotName));
    return acquired[0];
  }

  /** The term of a session that has just acquired the lock. */
  public static Leadership begin(RelaySession session) throws SQLException {
    session.run(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("SET idle_session_timeout = " + SILENCE.toMillis());
          }
        });
    return new Leadership(session);
  }

  private static boolean tryLock(Connection connection, String slotName) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(TRY_LOCK)) {
      query.setString(1, slotName);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /** The session has answered. */
  public void answered() {
    answeredNanos = System.nanoTime();
  }

  /**
   * Returns if this relay leads: the session that holds the lock has answered just now.
   *
   * @throws SessionBrokenException if it does not answer; nothing may be sent any more
   */
  public void require() {
    if (System.nanoTime() - answeredNanos > FRESH.toNanos()) {
      session.callUnchecked(
          connection -> {
            try (Statement statement = connection.createStatement()) {
              return statement.execute("SELECT 1");
            }
          });
      answered();
    }
  }
}
