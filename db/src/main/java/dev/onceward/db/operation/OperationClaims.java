package dev.onceward.db.operation;

import dev.onceward.db.operation.ClaimResult.Claimed;
import dev.onceward.db.operation.ClaimResult.NotClaimed;
import dev.onceward.db.operation.ClaimResult.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Claims operations and keeps their leases, by the database's clock. All methods work in the
 * transaction's workspace only. Stateless.
 */
public final class OperationClaims {

  /** More than once only when the row comes into sight in the middle of a look. */
  private static final int MAX_LOOKS = 3;

  private OperationClaims() {}

  /**
   * Claims the operation whose newest event is {@code eventId}: queued, due for a retry, or left by
   * an expired lease. The attempt counts from here.
   *
   * <p>An event can be on Kafka before its transaction is visible: the log is flushed, and so
   * streamed, a moment earlier. The row may then come into sight between the statement that claims
   * and the one that asks why nothing was claimed; it is claimed again, since nobody else would
   * take it up.
   *
   * @param owner the claiming worker; unique among running workers
   * @param lease how long the claim holds unless renewed
   */
  public static ClaimResult claim(Connection connection, UUID eventId, String owner, Duration lease)
      throws SQLException {
    return claim(connection, eventId, owner, lease, true);
  }

  /**
   * As {@link #claim}, but leaves alone what an expired lease left: the loop over due tasks takes
   * that up, with the care that something which may have killed its worker needs.
   */
  public static ClaimResult claimFresh(
      Connection connection, UUID eventId, String owner, Duration lease) throws SQLException {
    return claim(connection, eventId, owner, lease, false);
  }

  private static ClaimResult claim(
      Connection connection, UUID eventId, String owner, Duration lease, boolean leftToo)
      throws SQLException {
    for (int look = 1; ; look++) {
      Optional<Operation> claimed = tryClaim(connection, eventId, owner, lease, leftToo);
      if (claimed.isPresent()) {
        return new Claimed(claimed.get());
      }
      Reason reason = ClaimReasons.of(connection, eventId);
      if (reason != Reason.QUEUED || look == MAX_LOOKS) {
        return new NotClaimed(reason);
      }
    }
  }

  private static Optional<Operation> tryClaim(
      Connection connection, UUID eventId, String owner, Duration lease, boolean leftToo)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.operations o
        SET state = 'running', attempt = o.attempt + 1, lease_owner = ?,
          lease_expires_at = now() + make_interval(secs => ?), next_attempt_at = NULL, updated_at = now()
        WHERE o.event_id = ? AND o.attempt < o.max_attempts
          AND (o.state = 'queued'
            OR (o.state = 'waiting_retry' AND o.next_attempt_at <= now())
            OR (? AND o.state = 'running' AND o.lease_expires_at <= now()))
        RETURNING\s"""
            + OperationRows.COLUMNS;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, owner);
      statement.setDouble(2, seconds(lease));
      statement.setObject(3, eventId);
      statement.setBoolean(4, leftToo);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(OperationRows.read(row)) : Optional.empty();
      }
    }
  }

  /** Extends a lease that is still held and has not expired; false if it is lost. */
  public static boolean renew(Connection connection, Lease lease, Duration extension)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.operations SET lease_expires_at = now() + make_interval(secs => ?)
        WHERE id = ? AND event_id = ? AND state = 'running' AND lease_owner = ? AND attempt = ? AND lease_expires_at > now()
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setDouble(1, seconds(extension));
      bind(statement, 2, lease);
      return oneRow(statement.executeUpdate(), lease);
    }
  }

  /**
   * Whether the lease is still held, and keeps others from taking it until the transaction ends:
   * for an attempt that writes in steps, so that none of them comes after a take-over.
   */
  public static boolean holds(Connection connection, Lease lease) throws SQLException {
    String sql =
        """
        SELECT 1 FROM onceward.operations
        WHERE id = ? AND event_id = ? AND state = 'running' AND lease_owner = ? AND attempt = ? FOR SHARE
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, 1, lease);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /**
   * Gives a running operation back to the queue and its attempt with it, at shutdown; false if the
   * lease is lost. It is due at once: the record that brought it may have been acknowledged by
   * another worker, which found it running here.
   */
  public static boolean handBack(Connection connection, Lease lease) throws SQLException {
    String sql =
        """
        UPDATE onceward.operations
        SET state = 'queued', attempt = attempt - 1, lease_owner = NULL, lease_expires_at = NULL, updated_at = now(),
          last_error_code = 'HANDED_BACK', last_error_summary = 'The worker stopped before the attempt ended'
        WHERE id = ? AND event_id = ? AND state = 'running' AND lease_owner = ? AND attempt = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, 1, lease);
      return oneRow(statement.executeUpdate(), lease);
    }
  }

  /**
   * Ends an operation whose last attempt's lease has expired as dead; false if it is in another
   * state by now.
   */
  public static boolean buryExpired(Connection connection, UUID operationId) throws SQLException {
    String sql =
        """
        UPDATE onceward.operations
        SET state = 'dead', lease_owner = NULL, lease_expires_at = NULL, finished_at = now(), updated_at = now(),
          last_error_code = 'LEASE_EXPIRED', last_error_summary = 'The worker of the last attempt did not come back'
        WHERE id = ? AND state = 'running' AND attempt >= max_attempts AND lease_expires_at <= now()
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, operationId);
      return statement.executeUpdate() == 1;
    }
  }

  static void bind(PreparedStatement statement, int first, Lease lease) throws SQLException {
    statement.setObject(first, lease.operationId());
    statement.setObject(first + 1, lease.eventId());
    statement.setString(first + 2, lease.owner());
    statement.setInt(first + 3, lease.attempt());
  }

  static boolean oneRow(int changed, Lease lease) {
    if (changed > 1) {
      throw new IllegalStateException(
          "%d rows changed for operation %s".formatted(changed, lease.operationId()));
    }
    return changed == 1;
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
