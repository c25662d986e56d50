package dev.onceward.worker.retry;

import dev.onceward.db.SqlStates;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the database answers this worker, as its own statements found. Some statement runs at
 * least each second, so that silence tells too. Thread-safe.
 */
public final class DatabaseStatus {

  private static final Logger log = LoggerFactory.getLogger(DatabaseStatus.class);

  private volatile long lastAnswerNanos = System.nanoTime();
  private volatile @Nullable String failure;

  /** A statement was answered. */
  public void answered() {
    lastAnswerNanos = System.nanoTime();
    if (failure != null) {
      failure = null;
      log.info("the database answers again");
    }
  }

  /** A statement failed because of the database's state, not because of what it said. */
  public void failed(SQLException cause) {
    boolean news = failure == null;
    failure =
        SqlStates.isEncryptionRefused(cause)
            ? "no TLS connection to the database can be made"
            : "the database failed with SQLSTATE " + cause.getSQLState();
    if (news) {
      log.warn(
          "the database failed with SQLSTATE {} ({}); tasks wait and go on when it is back",
          cause.getSQLState(),
          cause.getClass().getSimpleName());
    }
  }

  /** Why the last statement failed; null if it did not. */
  public @Nullable String failure() {
    return failure;
  }

  /** How long ago the database last answered. */
  public Duration sinceLastAnswer() {
    return Duration.ofNanos(System.nanoTime() - lastAnswerNanos);
  }
}
