package dev.onceward.ops.replay;

/**
 * Kafka did not take what was sent to it, or did not say so in time. Some of it may have been
 * written; reading back tells.
 */
final class SendingFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  SendingFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
