package dev.onceward.worker;

/** What becomes of events that no handler here is for. */
public enum UnknownTypes {
  /**
   * Set aside, visible and replayable. Failure: while that is impossible, their partition waits.
   */
  DEAD_LETTER,
  /** Acknowledged. Failure: an event whose handler is missing by mistake is never handled. */
  IGNORE
}
