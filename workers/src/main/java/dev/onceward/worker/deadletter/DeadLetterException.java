package dev.onceward.worker.deadletter;

/** A record could not be set aside now. Retriable: the record stays uncommitted. */
public final class DeadLetterException extends Exception {

  private static final long serialVersionUID = 1L;

  DeadLetterException(String message, Throwable cause) {
    super(message, cause);
  }
}
