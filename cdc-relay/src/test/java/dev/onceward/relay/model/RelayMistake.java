package dev.onceward.relay.model;

/**
 * What could have been written instead; {@link RelayModel} is then to find out what comes of it.
 */
enum RelayMistake {
  /** The protocol as it is. */
  NONE,
  /** The slot is confirmed as soon as a batch is taken. */
  CONFIRM_BEFORE_ACKNOWLEDGEMENT,
  /** A watermark is believed before the events in front of it are acknowledged. */
  WATERMARK_BEFORE_ACKNOWLEDGEMENT,
  /** The watermark's message is written first, and its snapshot taken then. */
  MESSAGE_BEFORE_SNAPSHOT,
  /** That a new slot has a gap to fill is remembered by the term alone. */
  GAP_NOT_STORED,
  /** The stream begins although the gap of a new slot is not filled. */
  GAP_FILLED_LATER,
  /** The audit believes the stream and compares nothing. */
  AUDIT_BELIEVES,
  /** With the audited snapshot goes the end of Kafka, unaudited events or not. */
  POSITIONS_AT_THE_END,
  /** A new term does not read what Kafka holds. */
  NO_TAIL_READ,
  /** What a term found in Kafka is forgotten at its first audit. */
  TAIL_FORGOTTEN_AT_ONCE,
  /** The audited snapshot is written over a session other than the one that holds the lock. */
  STATE_NOT_FENCED,
  /** Parking does not ask whether the term's session still holds the lock. */
  PARKING_NOT_FENCED,
  /** What comes after a parked event of its aggregate is sent. */
  PARKED_IS_OVERTAKEN,
  /** No mistake: shows the duplicate that is known and excused, of a parked event. */
  PARKED_DUPLICATE_NOT_EXCUSED
}
