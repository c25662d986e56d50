package dev.onceward.relay.slot;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges database errors by SQLSTATE (PostgreSQL manual, appendix A). */
public final class DatabaseFailures {
  /** Errors of a connection attempt that no waiting mends. */
  private static final Set<String> WRONG_LOGIN = Set.of("28P01", "28000");

  private static final String NO_SUCH_DATABASE = "3D000";
  private static final String INSUFFICIENT_PRIVILEGE = "42501";
  static final String UNDEFINED_OBJECT = "42704";
  static final String UNDEFINED_TABLE = "42P01";
  static final String UNDEFINED_SCHEMA = "3F000";
  static final String UNDEFINED_FUNCTION = "42883";
  static final String DUPLICATE_OBJECT = "42710";
  static final String QUERY_CANCELED = "57014";

  private DatabaseFailures() {}

  /** The SQLSTATE of the first SQL error among a failure and its causes, or null. */
  public static @Nullable String sqlState(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 20; depth++) {
      if (cause instanceof SQLException sql && sql.getSQLState() != null) {
        return sql.getSQLState();
      }
      cause = cause.getCause();
    }
    return null;
  }

  /**
   * The failed login in an operator's words, or null if it is not the login that failed: then the
   * server is away or busy, and trying again may help.
   */
  static @Nullable NotPreparedException wrongLogin(SQLException failure, String user, String url) {
    String state = sqlState(failure);
    if (state == null) {
      return null;
    }
    if (WRONG_LOGIN.contains(state)) {
      return new NotPreparedException(
          "PostgreSQL refuses the role \"" + user + "\" at " + url + " (SQLSTATE " + state + ")",
          "Check onceward.database.user and onceward.database.password, the role's LOGIN and"
              + " pg_hba.conf (the relay also needs a \"replication\" line)",
          failure);
    }
    if (state.equals(NO_SUCH_DATABASE)) {
      return new NotPreparedException(
          "The database of " + url + " does not exist",
          "Correct onceward.database.url, or create the database and run the migrations",
          failure);
    }
    return null;
  }

  /**
   * What a stream failure with that SQLSTATE means, for health and logs; null if nothing is known
   * about it.
   */
  public static @Nullable String meaningForStream(Throwable failure) {
    String state = sqlState(failure);
    if (state == null) {
      return null;
    }
    return switch (state) {
      case UNDEFINED_OBJECT ->
          "PostgreSQL cannot find the publication as of the slot's position: it was dropped or made"
              + " after the slot";
      case INSUFFICIENT_PRIVILEGE -> "PostgreSQL does not let the relay's role replicate";
      case "28P01", "28000" -> "PostgreSQL refuses the relay's login";
      case "55006" -> "another process streams from the slot";
      case "55000" -> "PostgreSQL cannot stream from the slot any more";
      case "57P01", "57P02", "57P03" -> "PostgreSQL is shutting down or starting";
      case "53300" -> "PostgreSQL has no connection or walsender left (max_wal_senders)";
      default -> state.startsWith("08") ? "the connection to PostgreSQL broke" : null;
    };
  }
}
