package dev.onceward.api;

import dev.onceward.db.SchemaMissingException;
import dev.onceward.db.SqlStates;
import dev.onceward.db.UnsafeRoleException;
import dev.onceward.process.StartupException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What can keep the API from starting, and what to do about it. */
final class ApiFailures {
  private static final String INVALID_AUTHORIZATION = "28000";

  private ApiFailures() {}

  static @Nullable StartupException classify(Throwable failure) {
    if (failure instanceof UnsafeRoleException unsafe) {
      return StartupException.unavailable(
          withoutFullStop(unsafe),
          "Set onceward.database.user to onceward_app, which the bootstrap makes",
          unsafe);
    }
    if (failure instanceof SchemaMissingException missing) {
      return StartupException.unavailable(
          withoutFullStop(missing),
          "Run the migrations (the container \"migrate\", or dev.onceward.db.migration.MigrateMain)",
          missing);
    }
    return failure instanceof SQLException sql ? classify(sql) : null;
  }

  private static @Nullable StartupException classify(SQLException failure) {
    if (SqlStates.is(failure, SqlStates.INVALID_PASSWORD)
        || SqlStates.is(failure, INVALID_AUTHORIZATION)) {
      return StartupException.unavailable(
          "PostgreSQL refuses the login",
          "Check onceward.database.user and onceward.database.password, and pg_hba.conf",
          failure);
    }
    if (SqlStates.is(failure, SqlStates.INVALID_CATALOG_NAME)) {
      return StartupException.unavailable(
          "the database does not exist",
          "Create it, bootstrap and migrate it, or correct onceward.database.url",
          failure);
    }
    if (SqlStates.is(failure, SqlStates.INSUFFICIENT_PRIVILEGE)) {
      return StartupException.unavailable(
          "the database role may not use the schema onceward",
          "Set onceward.database.user to onceward_app, which the bootstrap makes",
          failure);
    }
    if (SqlStates.isEncryptionRefused(failure)) {
      return StartupException.unavailable(
          "no TLS connection to PostgreSQL can be made",
          "Check sslmode and sslrootcert in onceward.database.url, and the server's certificate",
          failure);
    }
    if (SqlStates.isUnavailable(failure)) {
      return StartupException.unavailable(
          "PostgreSQL cannot be reached (SQLSTATE " + failure.getSQLState() + ")",
          "Start it, or correct host and port in onceward.database.url",
          failure);
    }
    return null;
  }

  private static String withoutFullStop(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}
