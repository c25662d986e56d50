package dev.onceward.db.operation;

import java.util.UUID;

/**
 * What a worker names to change the operation that it claimed: if any of these has changed, the
 * change is refused. The event belongs to it because a retry counts attempts from zero again.
 *
 * @param operationId the operation
 * @param eventId its newest event at the claim
 * @param owner the worker
 * @param attempt the attempt that the claim counted
 */
public record Lease(UUID operationId, UUID eventId, String owner, int attempt) {

  /**
   * The lease of an operation that was just claimed.
   *
   * @throws IllegalArgumentException if it is not running
   */
  public static Lease of(Operation operation) {
    String owner = operation.leaseOwner();
    if (owner == null) {
      throw new IllegalArgumentException(
          "Operation %s is not running and has no lease".formatted(operation.id()));
    }
    return new Lease(operation.id(), operation.eventId(), owner, operation.attempt());
  }
}
