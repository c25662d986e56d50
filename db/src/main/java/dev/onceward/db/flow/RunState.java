package dev.onceward.db.flow;

import java.util.Arrays;

/** Where a run stands. */
public enum RunState {
  /** A worker is to take it on. */
  RUNNING("running"),
  /** It waits for a to-do. */
  WAITING("waiting"),
  /** It has an outcome. */
  ENDED("ended");

  private final String label;

  RunState(String label) {
    this.label = label;
  }

  /** Its text in the database and in JSON. */
  public String label() {
    return label;
  }

  static RunState ofLabel(String label) {
    return Arrays.stream(values())
        .filter(state -> state.label.equals(label))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("no such state of a run: " + label));
  }
}
