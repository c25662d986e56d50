package dev.onceward.relay.capture.direct;

import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.capture.LogicalMessage;

/** What a message of the stream means to the relay. Immutable. */
sealed interface Change {

  /** A committed row. */
  record Inserted(CapturedEvent event) implements Change {}

  /** One of the relay's messages. All that committed before it has come before it. */
  record Said(LogicalMessage message) implements Change {}

  /**
   * The end of a transaction.
   *
   * @param endLsn confirmed once its rows are safe, it is not sent again
   */
  record Committed(long endLsn) implements Change {}

  /** Nothing comes any more. */
  record Ended() implements Change {}
}
