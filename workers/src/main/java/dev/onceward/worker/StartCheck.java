package dev.onceward.worker;

import dev.onceward.db.RoleCheck;
import dev.onceward.db.SchemaMissingException;
import dev.onceward.db.SqlStates;
import dev.onceward.db.UnsafeRoleException;
import dev.onceward.process.StartupException;
import dev.onceward.worker.retry.DatabaseStatus;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Refuses to start on a database that waiting will not mend. A database that is only away is waited
 * for by the worker itself, which then says so in its health.
 */
final class StartCheck {

  private static final String INVALID_AUTHORIZATION = "28000";

  private StartCheck() {}

  /**
   * Checks role and schema once.
   *
   * @param status hears of a database that is away
   * @return false if the database could not be asked
   * @throws StartupException if the login is refused, the role is not bound by row-level security,
   *     or the migrations have not run
   */
  static boolean passes(DataSource dataSource, WorkerConfig config, DatabaseStatus status) {
    try (Connection connection = dataSource.getConnection()) {
      RoleCheck.requireBoundByRowLevelSecurity(connection);
      return true;
    } catch (UnsafeRoleException unsafe) {
      throw StartupException.unavailable(
          String.valueOf(unsafe.getMessage()),
          "Log in as onceward_app: set onceward.database.user",
          unsafe);
    } catch (SchemaMissingException missing) {
      throw StartupException.unavailable(
          String.valueOf(missing.getMessage()), "Run the migrations first", missing);
    } catch (SQLException failure) {
      refuseWhatWaitingCannotMend(failure, config);
      status.failed(failure);
      return false;
    }
  }

  /** The pool hides the server's answer behind its own time-out. */
  private static void refuseWhatWaitingCannotMend(SQLException failure, WorkerConfig config) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        if (SqlStates.is(sql, SqlStates.INVALID_PASSWORD)
            || SqlStates.is(sql, INVALID_AUTHORIZATION)) {
          throw StartupException.unavailable(
              "the database refuses the login of %s".formatted(config.user()),
              "Check onceward.database.user and onceward.database.password, and that the role"
                  + " exists",
              failure);
        }
        if (SqlStates.is(sql, SqlStates.INVALID_CATALOG_NAME)) {
          throw StartupException.unavailable(
              "the database of %s does not exist".formatted(withoutOptions(config.jdbcUrl())),
              "Create it and run the migrations, or correct onceward.database.url",
              failure);
        }
      }
    }
  }

  /** Options of a URL can hold passwords. */
  private static String withoutOptions(String jdbcUrl) {
    int options = jdbcUrl.indexOf('?');
    return options < 0 ? jdbcUrl : jdbcUrl.substring(0, options);
  }
}
