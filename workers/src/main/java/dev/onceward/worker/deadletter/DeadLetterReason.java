package dev.onceward.worker.deadletter;

/** Why a record is set aside. The names are the contract with operators. */
public enum DeadLetterReason {
  /** The record has no key, so it names no event. */
  NULL_KEY,
  /** The record has no value. */
  NULL_VALUE,
  /** The key is not the id of the event in the value. */
  KEY_IS_NOT_EVENT_ID,
  /** The value is no envelope. */
  UNDECODABLE,
  /** No handler is registered for the event's type. */
  UNKNOWN_EVENT_TYPE,
  /** The payload's version is newer than the registered handler can read. */
  NEWER_PAYLOAD_VERSION,
  /** The event asks for an operation that did not become visible in the database. */
  OPERATION_NOT_FOUND
}
