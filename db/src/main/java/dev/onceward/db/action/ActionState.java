package dev.onceward.db.action;

import java.util.Locale;

/** What a row of {@code ops_actions} says about its change. */
public enum ActionState {
  /** It was made, in the transaction that wrote the row. */
  DONE,
  /** It begins. Failure: without a later row that names this one, it was killed half-way. */
  STARTED,
  /** It ended as it should. */
  SUCCEEDED,
  /** It ended otherwise; the result says how far it came. */
  FAILED,
  /** The operator stopped it; the result says how far it came. */
  INTERRUPTED;

  /** As it stands in the table. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ActionState ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
