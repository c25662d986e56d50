package dev.onceward.local.torture;

/** What became of a written event, as far as its writer can tell. */
public enum Fate {
  /** The server has confirmed the commit. */
  COMMITTED,
  /**
   * Rolled back whole or to a savepoint, or the connection broke before the commit was asked for.
   */
  ROLLED_BACK,
  /** The connection broke while the commit was under way. */
  UNKNOWN
}
