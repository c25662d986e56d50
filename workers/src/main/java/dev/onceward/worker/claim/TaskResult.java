package dev.onceward.worker.claim;

/** What came of an event, for whoever brought it. */
public enum TaskResult {
  /** Nothing more is to be done about this event here: done, under way elsewhere, or not due. */
  SETTLED,
  /** The last attempt's lease has expired: the loop over due tasks ends it. */
  USED_UP,
  /** There is no operation of this event, or its transaction is not visible yet. */
  NOT_VISIBLE,
  /** The database could not be asked. */
  DATABASE_AWAY,
  /** The worker stops: somebody else will do it. */
  STOPPING
}
