package dev.onceward.api.workspace;

/** A row that this transaction has just written cannot be read: a defect. */
final class NotWrittenException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  NotWrittenException() {
    super("what was just written is there");
  }
}
