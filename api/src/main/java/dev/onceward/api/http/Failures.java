package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The one mapping from whatever was thrown to what the client is told. It decides by class and
 * SQLSTATE, never by text, and passes nothing of the cause on.
 */
final class Failures {
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration LATER = Duration.ofSeconds(5);

  private Failures() {}

  static Problem problemOf(Throwable failure) {
    Throwable cause = failure instanceof CompletionException wrapped ? rootOf(wrapped) : failure;
    if (cause instanceof ProblemException refusal) {
      return refusal.problem();
    }
    SQLException sql = sqlCauseOf(cause);
    return sql == null ? internal() : problemOf(sql);
  }

  private static Problem problemOf(SQLException failure) {
    if (failure instanceof SQLTransientConnectionException) {
      // The pool says so when none came free in time. When connecting itself failed, it names why.
      return sqlCauseOf(failure.getCause()) == null && failure.getNextException() == null
          ? Problem.of(
                  ProblemCode.OVERLOADED,
                  "All database connections are in use; nothing was done. Try again.")
              .retryAfter(SOON)
          : unavailable();
    }
    String state = failure.getSQLState();
    if (state == null) {
      return internal();
    }
    return switch (state) {
      // query_canceled by the time limit, lock_not_available; then the conflicts that our own
      // retries did not get past: serialization_failure, deadlock_detected
      case "57014", "55P03", "40001", "40P01" ->
          Problem.of(
                  ProblemCode.DATABASE_TIMEOUT,
                  "The database did not finish in time; nothing was stored. Try again.")
              .retryAfter(SOON);
      // read_only_sql_transaction: a stand-by answers where the primary should
      case "25006" -> unavailable();
      default ->
          switch (state.substring(0, Math.min(2, state.length()))) {
            // connection exception, insufficient resources, operator intervention, system error
            case "08", "53", "57", "58" -> unavailable();
            default -> internal();
          };
    };
  }

  private static Problem unavailable() {
    return Problem.of(
            ProblemCode.DATABASE_UNAVAILABLE,
            "The database cannot be reached now. Send the same request with the same"
                + " Idempotency-Key again.")
        .retryAfter(LATER);
  }

  private static Problem internal() {
    return Problem.of(
        ProblemCode.INTERNAL_ERROR,
        "The request failed on our side and nothing was stored. Tell us the X-Request-Id.");
  }

  private static @Nullable SQLException sqlCauseOf(@Nullable Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 10; depth++) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
      cause = cause.getCause();
    }
    return null;
  }

  private static Throwable rootOf(CompletionException wrapped) {
    return wrapped.getCause() == null ? wrapped : wrapped.getCause();
  }
}
