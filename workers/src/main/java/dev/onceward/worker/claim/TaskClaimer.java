package dev.onceward.worker.claim;

import dev.onceward.db.Database;
import dev.onceward.db.operation.ClaimResult;
import dev.onceward.db.operation.OperationBatches;
import dev.onceward.db.operation.OperationClaims;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Claims operations for this worker: many at a time if many are asked for, but what an expired
 * lease left always alone and only by {@link #takeUp}. Thread-safe.
 */
final class TaskClaimer {

  private final Database database;
  private final String owner;
  private final Duration lease;
  private final Gatherer<UUID, ClaimResult> claims;

  /**
   * Makes one.
   *
   * @param batch so many claims in one transaction; 1 claims each alone
   */
  TaskClaimer(Database database, String owner, Duration lease, int batch) {
    this.database = database;
    this.owner = owner;
    this.lease = lease;
    this.claims = new Gatherer<>(batch, this::claimTogether, this::claimAlone);
  }

  /** Claims what is queued or due; see {@link OperationClaims#claimFresh}. */
  ClaimResult claim(UUID workspaceId, UUID eventId) throws SQLException, InterruptedException {
    ClaimResult result = claims.call(workspaceId, eventId);
    if (result instanceof ClaimResult.NotClaimed not && not.reason() == ClaimResult.Reason.QUEUED) {
      return claimAlone(workspaceId, eventId); // held by somebody, or just come into sight
    }
    return result;
  }

  /** Claims also what an expired lease left; see {@link OperationClaims#claim}. */
  ClaimResult takeUp(UUID workspaceId, UUID eventId) throws SQLException {
    return database.inWorkspace(
        workspaceId, connection -> OperationClaims.claim(connection, eventId, owner, lease));
  }

  private ClaimResult claimAlone(UUID workspaceId, UUID eventId) throws SQLException {
    return database.inWorkspace(
        workspaceId, connection -> OperationClaims.claimFresh(connection, eventId, owner, lease));
  }

  private List<ClaimResult> claimTogether(UUID workspaceId, List<UUID> eventIds)
      throws SQLException {
    Map<UUID, ClaimResult> answers =
        database.inWorkspace(
            workspaceId,
            connection -> OperationBatches.claimFresh(connection, eventIds, owner, lease));
    return once(eventIds, answers);
  }

  /** The same event twice in a batch is one claim: the second finds it running. */
  private static List<ClaimResult> once(List<UUID> eventIds, Map<UUID, ClaimResult> answers) {
    Set<UUID> given = new HashSet<>();
    return eventIds.stream()
        .<ClaimResult>map(
            eventId ->
                given.add(eventId)
                    ? Objects.requireNonNull(answers.get(eventId))
                    : new ClaimResult.NotClaimed(ClaimResult.Reason.RUNNING_ELSEWHERE))
        .toList();
  }
}
