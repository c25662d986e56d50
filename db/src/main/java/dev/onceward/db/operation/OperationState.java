package dev.onceward.db.operation;

import java.util.Locale;
import java.util.Set;

/**
 * The states of an operation and what may follow each. The table's CHECK constraints tie columns to
 * states.
 */
public enum OperationState {
  /** Waits for a worker. */
  QUEUED,
  /** A worker holds the lease. */
  RUNNING,
  /** The last attempt failed; the next one has a time. */
  WAITING_RETRY,
  /** Done; final. */
  SUCCEEDED,
  /** Failed for good: no further attempt can help. Only an explicit retry leaves it. */
  FAILED,
  /** All attempts are used up. Only an explicit retry leaves it. */
  DEAD,
  /** Called off before it ran; final. */
  CANCELLED;

  /** The states that may follow this one. */
  public Set<OperationState> successors() {
    return switch (this) {
      case QUEUED -> Set.of(RUNNING, CANCELLED);
      // QUEUED: handed back at shutdown. RUNNING: an expired lease is claimed again.
      case RUNNING -> Set.of(RUNNING, SUCCEEDED, FAILED, WAITING_RETRY, DEAD, QUEUED);
      case WAITING_RETRY -> Set.of(RUNNING, CANCELLED);
      case FAILED, DEAD -> Set.of(QUEUED);
      case SUCCEEDED, CANCELLED -> Set.of();
    };
  }

  /** Whether no worker will touch it any more by itself. */
  public boolean isFinal() {
    return switch (this) {
      case SUCCEEDED, FAILED, DEAD, CANCELLED -> true;
      case QUEUED, RUNNING, WAITING_RETRY -> false;
    };
  }

  /** The name in the database, in JSON and in metrics, for example {@code waiting_retry}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The state of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static OperationState ofLabel(String label) {
    for (OperationState state : values()) {
      if (state.label().equals(label)) {
        return state;
      }
    }
    throw new IllegalArgumentException("'%s' is no state of an operation".formatted(label));
  }
}
