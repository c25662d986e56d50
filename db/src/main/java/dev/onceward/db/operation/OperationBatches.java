package dev.onceward.db.operation;

import dev.onceward.db.operation.ClaimResult.Claimed;
import dev.onceward.db.operation.ClaimResult.NotClaimed;
import dev.onceward.db.operation.ClaimResult.Reason;
import dev.onceward.db.secret.SecretGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Claims and finishes many operations in one transaction; what each means is said by {@link
 * OperationClaims} and {@link OperationFinishes}. All methods work in the transaction's workspace
 * only. Stateless.
 */
public final class OperationBatches {

  /**
   * A success without any writes of its own.
   *
   * @param result JSON text, or null
   */
  public record Success(Lease lease, @Nullable String result) {}

  private OperationBatches() {}

  /**
   * Claims the operations of these events as {@link OperationClaims#claimFresh} does, but waits for
   * nobody: an operation that another transaction holds is passed over and answered with {@link
   * Reason#QUEUED}, to be claimed alone. Rows are locked in the order of their ids, so that two
   * batches never wait for each other.
   *
   * @return an answer for each event
   */
  public static Map<UUID, ClaimResult> claimFresh(
      Connection connection, Collection<UUID> eventIds, String owner, Duration lease)
      throws SQLException {
    Map<UUID, ClaimResult> answers = new HashMap<>();
    for (Operation operation : claimed(connection, eventIds, owner, lease)) {
      answers.put(operation.eventId(), new Claimed(operation));
    }
    Set<UUID> others = new HashSet<>(eventIds);
    others.removeAll(answers.keySet());
    if (!others.isEmpty()) {
      Map<UUID, Reason> reasons = ClaimReasons.of(connection, others);
      for (UUID other : others) {
        answers.put(other, new NotClaimed(reasons.getOrDefault(other, Reason.NOT_VISIBLE)));
      }
    }
    return answers;
  }

  private static List<Operation> claimed(
      Connection connection, Collection<UUID> eventIds, String owner, Duration lease)
      throws SQLException {
    String sql =
        """
        WITH free AS MATERIALIZED (
          SELECT o.id FROM onceward.operations o
          WHERE o.event_id = ANY (?) AND o.attempt < o.max_attempts
            AND (o.state = 'queued' OR (o.state = 'waiting_retry' AND o.next_attempt_at <= now()))
          ORDER BY o.id FOR UPDATE SKIP LOCKED)
        UPDATE onceward.operations o
        SET state = 'running', attempt = o.attempt + 1, lease_owner = ?,
          lease_expires_at = now() + make_interval(secs => ?), next_attempt_at = NULL, updated_at = now()
        FROM free WHERE o.id = free.id
        RETURNING\s"""
            + OperationRows.COLUMNS;
    List<Operation> operations = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("uuid", eventIds.toArray()));
      statement.setString(2, owner);
      statement.setDouble(3, OperationClaims.seconds(lease));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          operations.add(OperationRows.read(row));
        }
      }
    }
    return operations;
  }

  /**
   * Records successes.
   *
   * @return the operations whose lease was still held; the others are unchanged
   * @throws dev.onceward.db.secret.SecretFoundException if a result holds a secret
   */
  public static Set<UUID> succeed(Connection connection, Collection<Success> successes)
      throws SQLException {
    int count = successes.size();
    UUID[] ids = new UUID[count];
    UUID[] events = new UUID[count];
    String[] owners = new String[count];
    Integer[] attempts = new Integer[count];
    @Nullable String[] results = new @Nullable String[count];
    int next = 0;
    for (Success success : successes) {
      Lease lease = success.lease();
      String result = success.result();
      if (result != null) {
        SecretGuard.requireNoneInJson("the result of operation " + lease.operationId(), result);
      }
      ids[next] = lease.operationId();
      events[next] = lease.eventId();
      owners[next] = lease.owner();
      attempts[next] = lease.attempt();
      results[next++] = result;
    }
    String sql =
        """
        UPDATE onceward.operations o
        SET state = 'succeeded', result = s.result::json, last_error_code = NULL, last_error_summary = NULL,
          lease_owner = NULL, lease_expires_at = NULL, finished_at = now(), updated_at = now()
        FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::integer[], ?::text[]) AS s (id, event_id, owner, attempt, result)
        WHERE o.id = s.id AND o.event_id = s.event_id AND o.state = 'running' AND o.lease_owner = s.owner AND o.attempt = s.attempt
        RETURNING o.id
        """;
    Set<UUID> held = new HashSet<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("uuid", ids));
      statement.setArray(2, connection.createArrayOf("uuid", events));
      statement.setArray(3, connection.createArrayOf("text", owners));
      statement.setArray(4, connection.createArrayOf("integer", attempts));
      statement.setArray(5, connection.createArrayOf("text", results));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          held.add(row.getObject(1, UUID.class));
        }
      }
    }
    return held;
  }
}
