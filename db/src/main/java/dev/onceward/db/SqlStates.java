package dev.onceward.db;

import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * What a failure of the database was, by SQLSTATE (PostgreSQL, Appendix A) and constraint name,
 * never by its text.
 */
public final class SqlStates {

  /** A unique or primary key has the value already. */
  public static final String UNIQUE_VIOLATION = "23505";

  /** A CHECK constraint refuses the row. */
  public static final String CHECK_VIOLATION = "23514";

  /** A text cannot be what its column needs, for example JSON. */
  public static final String INVALID_TEXT_REPRESENTATION = "22P02";

  /** The role may not do this; row-level security reports with it too. */
  public static final String INSUFFICIENT_PRIVILEGE = "42501";

  /** The password is wrong. */
  public static final String INVALID_PASSWORD = "28P01";

  /** The database does not exist. */
  public static final String INVALID_CATALOG_NAME = "3D000";

  /** The schema or table does not exist. */
  public static final String UNDEFINED_TABLE = "42P01";

  private static final String DEADLOCK_DETECTED = "40P01";
  private static final String SERIALIZATION_FAILURE = "40001";

  /** A chain of causes may run in a circle. */
  private static final int MOST_CAUSES = 20;

  private SqlStates() {}

  /** Whether {@code failure} has this SQLSTATE. */
  public static boolean is(SQLException failure, String sqlState) {
    return sqlState.equals(failure.getSQLState());
  }

  /** The violated constraint's name, or null if it was none. */
  public static @Nullable String constraint(SQLException failure) {
    if (failure instanceof PSQLException ours) {
      ServerErrorMessage message = ours.getServerErrorMessage();
      return message == null ? null : message.getConstraint();
    }
    return null;
  }

  /**
   * Whether the same transaction would succeed if run again: a deadlock or a serialization failure.
   */
  public static boolean isTransactionRetriable(SQLException failure) {
    return is(failure, DEADLOCK_DETECTED) || is(failure, SERIALIZATION_FAILURE);
  }

  /**
   * Whether no TLS connection could be made: the server's certificate is not trusted, or the two do
   * not agree on a way to encrypt. The server may be well; a name that does not match looks like an
   * absence.
   */
  public static boolean isEncryptionRefused(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      if (cause instanceof SSLException || cause instanceof GeneralSecurityException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /**
   * Whether the database is away or out of connections: connection exceptions (class 08), shutdown,
   * crash and start-up of the server (57P01, 57P02, 57P03), too many connections (53300), or a pool
   * that has none to give.
   */
  public static boolean isUnavailable(SQLException failure) {
    if (failure instanceof SQLTransientConnectionException) {
      return true;
    }
    String state = failure.getSQLState();
    return state != null
        && (state.startsWith("08") || state.startsWith("57P0") || state.equals("53300"));
  }
}
