package dev.onceward.db.operation;

/** What came of a retry or a cancel. */
public sealed interface ControlResult {

  /** Done; {@code operation} is the row after it. */
  record Changed(Operation operation) implements ControlResult {}

  /** The transaction's workspace has no such operation. */
  record Unknown() implements ControlResult {}

  /** Nothing was changed: the operation is in another state than it must be in. */
  record Unfit(OperationState state) implements ControlResult {}

  /** Nothing was changed: neither the outbox nor the kept events know what was asked. */
  record EventGone() implements ControlResult {}
}
