package dev.onceward.relay.slot;

import dev.onceward.db.SqlStates;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges database errors by SQLSTATE (PostgreSQL manual, appendix A). */
public final class DatabaseFailures {
  /** Errors of a connection attempt that no waiting mends. */
  private static final Set<String> WRONG_LOGIN = Set.of("28P01", "28000");

  /** Errors of a statement that no waiting mends: rights or schema are not what we need. */
  private static final Set<String> NOT_PREPARED = Set.of("42501", "42P01", "42883", "3F000");

  private static final String NO_SUCH_DATABASE = "3D000";
  static final String DUPLICATE_OBJECT = "42710";
  static final String UNDEFINED_OBJECT = "42704";
  static final String INSUFFICIENT_PRIVILEGE = "42501";

  /** The server has ended a session that was silent for too long. */
  public static final String IDLE_SESSION_TIMEOUT = "57P05";

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

  /** The failed statement in an operator's words, or null if trying again may help. */
  public static @Nullable NotPreparedException notPrepared(SQLException failure) {
    String state = sqlState(failure);
    return state == null || !NOT_PREPARED.contains(state)
        ? null
        : new NotPreparedException(
            "The database is not prepared for the relay (SQLSTATE " + state + ")",
            "Run the migrations, and let the relay log in as onceward_relay",
            failure);
  }

  /** What a database failure means, for health and logs; null if nothing is known about it. */
  public static @Nullable String meaning(Throwable failure) {
    String state = sqlState(failure);
    if (state == null) {
      return null;
    }
    return switch (state) {
      case "42704" ->
          "PostgreSQL cannot find the publication as of the slot's position: it was dropped or made"
              + " after the slot";
      case "42501" -> "PostgreSQL does not let the relay's role replicate";
      case "28P01", "28000" -> "PostgreSQL refuses the relay's login";
      case "55006" -> "another process streams from the slot";
      case "55000" -> "PostgreSQL cannot stream from the slot any more";
      case "57014" -> "the slot cannot be made while an older transaction stays open";
      case "53400" -> "PostgreSQL has no replication slot left (max_replication_slots)";
      case "53300" -> "PostgreSQL has no connection or walsender left (max_wal_senders)";
      case "57P01", "57P02", "57P03" -> "PostgreSQL is shutting down or starting";
      default -> state.startsWith("08") ? away(failure) : null;
    };
  }

  private static String away(Throwable failure) {
    if (SqlStates.isEncryptionRefused(failure)) {
      return "no TLS connection to PostgreSQL can be made; check sslmode and sslrootcert in"
          + " onceward.database.url, and the server's certificate";
    }
    // The driver's own words, which name the address and no more.
    return failure instanceof SQLException && failure.getMessage() != null
        ? "PostgreSQL is away (" + failure.getMessage() + ")"
        : "PostgreSQL is away";
  }
}
