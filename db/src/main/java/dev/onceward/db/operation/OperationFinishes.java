package dev.onceward.db.operation;

import dev.onceward.db.secret.SecretGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends attempts. Each method changes the operation only while state, event, owner and attempt are
 * the lease's, also after the lease's time if nobody else has claimed it; otherwise it changes
 * nothing, and whatever the caller wrote in the same transaction should be rolled back. Stateless.
 */
public final class OperationFinishes {

  /** The longest error summary that is kept, in characters. */
  public static final int SUMMARY_LIMIT = 500;

  private OperationFinishes() {}

  /**
   * Records the one effect.
   *
   * @param result JSON text, or null
   * @return false if the lease is lost
   * @throws dev.onceward.db.secret.SecretFoundException if the result holds a secret
   */
  public static boolean succeed(Connection connection, Lease lease, @Nullable String result)
      throws SQLException {
    if (result != null) {
      SecretGuard.requireNoneInJson("the result of operation " + lease.operationId(), result);
    }
    String sql =
        """
        UPDATE onceward.operations
        SET state = 'succeeded', result = ?::json, last_error_code = NULL, last_error_summary = NULL,
          lease_owner = NULL, lease_expires_at = NULL, finished_at = now(), updated_at = now()
        WHERE id = ? AND event_id = ? AND state = 'running' AND lease_owner = ? AND attempt = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, result);
      OperationClaims.bind(statement, 2, lease);
      return OperationClaims.oneRow(statement.executeUpdate(), lease);
    }
  }

  /**
   * Records a failure that no further attempt can mend.
   *
   * @param code upper case, for example {@code CREDENTIALS_REFUSED}
   * @param summary for people; cut to {@link #SUMMARY_LIMIT}, and withheld if it holds a secret
   * @return false if the lease is lost
   */
  public static boolean fail(Connection connection, Lease lease, String code, String summary)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.operations
        SET state = 'failed', last_error_code = ?, last_error_summary = ?,
          lease_owner = NULL, lease_expires_at = NULL, finished_at = now(), updated_at = now()
        WHERE id = ? AND event_id = ? AND state = 'running' AND lease_owner = ? AND attempt = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, code);
      statement.setString(2, presentable(summary));
      OperationClaims.bind(statement, 3, lease);
      return OperationClaims.oneRow(statement.executeUpdate(), lease);
    }
  }

  /**
   * Records a failed attempt: another one follows after {@code delay}, or the operation is dead if
   * this was the last.
   *
   * @return the state that followed, or empty if the lease is lost
   */
  public static Optional<OperationState> retryLater(
      Connection connection, Lease lease, Duration delay, String code, String summary)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.operations
        SET state = CASE WHEN attempt < max_attempts THEN 'waiting_retry' ELSE 'dead' END,
          next_attempt_at = CASE WHEN attempt < max_attempts THEN now() + make_interval(secs => ?) END,
          finished_at = CASE WHEN attempt < max_attempts THEN NULL ELSE now() END,
          last_error_code = ?, last_error_summary = ?, lease_owner = NULL, lease_expires_at = NULL, updated_at = now()
        WHERE id = ? AND event_id = ? AND state = 'running' AND lease_owner = ? AND attempt = ?
        RETURNING state
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setDouble(1, OperationClaims.seconds(delay));
      statement.setString(2, code);
      statement.setString(3, presentable(summary));
      OperationClaims.bind(statement, 4, lease);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(OperationState.ofLabel(row.getString(1)))
            : Optional.empty();
      }
    }
  }

  private static String presentable(String summary) {
    if (SecretGuard.isSecretInText(summary)) {
      return "The summary is withheld: it looked like a secret";
    }
    String clean = summary.replace('\0', ' ');
    return clean.codePointCount(0, clean.length()) <= SUMMARY_LIMIT
        ? clean
        : clean.substring(0, clean.offsetByCodePoints(0, SUMMARY_LIMIT));
  }
}
