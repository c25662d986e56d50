package dev.onceward.ops.doctor;

import java.util.Locale;

/** How a check ended. */
public enum CheckState {
  /** As it should be. */
  OK,
  /** It works, and something can go wrong that need not. */
  WARNING,
  /** It does not work, loses something, or could not be looked at. */
  FAILED;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
