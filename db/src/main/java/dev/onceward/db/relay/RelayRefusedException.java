package dev.onceward.db.relay;

import org.jspecify.annotations.Nullable;

/** Something that an operator asked of a relay and that cannot be done now. */
public final class RelayRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String remedy;

  RelayRefusedException(String message, String remedy, @Nullable Throwable cause) {
    super(message, cause);
    this.remedy = remedy;
  }

  /** What to do; no full stop at its end. */
  public String remedy() {
    return remedy;
  }
}
