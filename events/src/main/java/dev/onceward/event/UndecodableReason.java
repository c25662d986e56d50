package dev.onceward.event;

/**
 * Why a record's value is no envelope. The constants' names are the stable codes: they stand in
 * dead-letter headers and metrics, and are never renamed.
 */
public enum UndecodableReason {
  /** The record has no value, or one of no bytes. */
  EMPTY_VALUE,
  /** The bytes are not UTF-8. */
  INVALID_UTF8,
  /** The bytes are UTF-8 but not one JSON text. */
  MALFORMED_JSON,
  /** The JSON text is no object. */
  NOT_AN_OBJECT,
  /** A member that every envelope has is absent, null or empty. */
  MISSING_MEMBER,
  /** A member of the envelope stands there twice, so that readers could disagree about it. */
  DUPLICATE_MEMBER,
  /** A member of the envelope has the wrong type or form. */
  INVALID_MEMBER,
  /** {@code payload_version} is zero or negative. */
  PAYLOAD_VERSION_NOT_POSITIVE
}
