package dev.onceward.db.hook;

import java.util.Arrays;
import java.util.Optional;

/** What a delivery to a hook does. */
public enum HookAction {
  /** Starts a run of the hook's flow. */
  START_RUN("start_run"),
  /** Resolves the to-do that the delivery names. */
  RESOLVE_TODO("resolve_todo");

  private final String label;

  HookAction(String label) {
    this.label = label;
  }

  /** Its text in the database and in JSON. */
  public String label() {
    return label;
  }

  /** The action of that text, or empty. */
  public static Optional<HookAction> ofLabel(String label) {
    return Arrays.stream(values()).filter(action -> action.label.equals(label)).findAny();
  }
}
