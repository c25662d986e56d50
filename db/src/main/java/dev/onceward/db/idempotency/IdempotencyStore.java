package dev.onceward.db.idempotency;

import dev.onceward.db.secret.SecretGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Locks scopes, finds and stores answers, all in the caller's transaction. Stateless. */
public final class IdempotencyStore {

  private IdempotencyStore() {}

  /**
   * Sets the workspace of the transaction and tries to lock the scope until its end, in one
   * statement.
   *
   * <p>The answer must be looked up in a later statement: a statement's snapshot can be older than
   * the lock that it takes, and then does not see what the last holder committed.
   *
   * @param lockId 64 bits of a keyed hash of the scope
   * @return false if another transaction executes this scope now
   */
  public static boolean tryLock(Connection connection, RequestScope scope, long lockId)
      throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "The lock needs a transaction; call setAutoCommit(false) first");
    }
    String sql = "SELECT set_config('app.workspace_id', ?, true), pg_try_advisory_xact_lock(?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, scope.workspaceId().toString());
      statement.setLong(2, lockId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(2);
      }
    }
  }

  /** The request that was answered in this scope and has not expired, or empty. */
  public static Optional<StoredRequest> find(Connection connection, RequestScope scope)
      throws SQLException {
    String sql =
        """
        SELECT fingerprint, fingerprint_key_id, response_status, response_headers, response_body
        FROM onceward.idempotency_requests
        WHERE workspace_id = ? AND user_id = ? AND method = ? AND path = ? AND key = ? AND status = 'completed'
          AND expires_at > now()
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, scope);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        return Optional.of(
            new StoredRequest(
                row.getBytes(1),
                row.getString(2),
                new StoredAnswer(row.getInt(3), row.getString(4), row.getString(5))));
      }
    }
  }

  /**
   * Stores the answer of this transaction's request. A row of the same scope that has expired is
   * replaced.
   *
   * @param keep how long it is given again; at least 24 hours
   * @return false if the scope was answered meanwhile by somebody who did not take the lock: roll
   *     back and look it up
   * @throws dev.onceward.db.secret.SecretFoundException if the answer holds a secret; the
   *     transaction must be rolled back
   */
  public static boolean storeCompleted(
      Connection connection,
      RequestScope scope,
      byte[] fingerprint,
      String fingerprintKeyId,
      StoredAnswer answer,
      Duration keep)
      throws SQLException {
    SecretGuard.requireNoneInJson(
        "The answer to " + scope.method() + " " + scope.path(), answer.body());
    String sql =
        """
        INSERT INTO onceward.idempotency_requests AS stored (workspace_id, user_id, method, path, key, fingerprint,
          fingerprint_key_id, status, response_status, response_headers, response_body, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, 'completed', ?, ?::json, ?, now() + make_interval(secs => ?))
        ON CONFLICT ON CONSTRAINT idempotency_requests_scope DO UPDATE
        SET fingerprint = excluded.fingerprint, fingerprint_key_id = excluded.fingerprint_key_id,
          status = excluded.status, response_status = excluded.response_status,
          response_headers = excluded.response_headers, response_body = excluded.response_body,
          created_at = now(), expires_at = excluded.expires_at
        WHERE stored.expires_at <= now()
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, scope);
      statement.setBytes(6, fingerprint);
      statement.setString(7, fingerprintKeyId);
      statement.setInt(8, answer.status());
      statement.setString(9, answer.headers());
      statement.setString(10, answer.body());
      statement.setDouble(11, keep.toMillis() / 1000.0);
      return statement.executeUpdate() == 1;
    }
  }

  private static void bind(PreparedStatement statement, RequestScope scope) throws SQLException {
    statement.setObject(1, scope.workspaceId());
    statement.setObject(2, scope.userId());
    statement.setString(3, scope.method());
    statement.setString(4, scope.path());
    statement.setString(5, scope.key());
  }
}
