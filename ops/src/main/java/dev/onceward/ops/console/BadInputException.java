package dev.onceward.ops.console;

/** What somebody typed cannot be meant; the message says what is wrong with which field. */
final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadInputException(String message) {
    super(message);
  }
}
