package dev.onceward.relay.slot;

import org.jspecify.annotations.Nullable;

/** Something that only an operator can mend. Trying again without that fails again. */
public final class NotPreparedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  public NotPreparedException(String message, String remedy, @Nullable Throwable cause) {
    super(message, cause);
    this.remedy = remedy;
  }

  /** What to do; no full stop at its end. */
  public String remedy() {
    return remedy;
  }
}
