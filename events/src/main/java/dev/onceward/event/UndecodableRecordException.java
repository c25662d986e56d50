package dev.onceward.event;

/**
 * A record's value is no envelope. Permanent: reading the same bytes again fails again. The message
 * names the member and the place, never a value.
 */
public final class UndecodableRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final UndecodableReason reason;

  UndecodableRecordException(UndecodableReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** The stable reason. */
  public UndecodableReason reason() {
    return reason;
  }
}
