package dev.onceward.relay;

import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.slot.DatabaseFailures;
import dev.onceward.relay.slot.NotPreparedException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Why a stream ended, in an operator's words. */
final class StreamFailures {
  private StreamFailures() {}

  /** What only an operator can mend, or null if the next attempt may go better. */
  static @Nullable NotPreparedException notPrepared(Throwable failure) {
    if (failure instanceof NotPreparedException known) {
      return known;
    }
    return failure instanceof SQLException sql ? DatabaseFailures.notPrepared(sql) : null;
  }

  /** A sentence for health and logs if the failure is a known one, else null. */
  static @Nullable String describe(Throwable failure) {
    NotPreparedException notPrepared = notPrepared(failure);
    if (notPrepared != null) {
      return notPrepared.getMessage() + ". " + notPrepared.remedy();
    }
    if (failure instanceof SlotBusyException) {
      return failure.getMessage();
    }
    return DatabaseFailures.meaning(failure);
  }

  /** A sentence for a failure that is not known; its stack trace goes to the log. */
  static String unknown(Throwable failure) {
    String state = DatabaseFailures.sqlState(failure);
    if (state != null) {
      return "PostgreSQL answered with an error (SQLSTATE " + state + ")";
    }
    Throwable shown = failure;
    if (failure instanceof CaptureException) {
      if (failure.getCause() == null) {
        return "the stream failed: " + failure.getMessage();
      }
      shown = failure.getCause();
    }
    return "the stream failed with " + shown.getClass().getSimpleName();
  }
}
