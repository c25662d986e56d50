package dev.onceward.ops;

import dev.onceward.db.SqlStates;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a failed statement means to an operator, judged by SQLSTATE alone. */
public final class DatabaseFailures {

  private DatabaseFailures() {}

  /** Null when it is none that an operator can do something about. */
  public static @Nullable StartupException classify(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    if (SqlStates.isEncryptionRefused(failure)) {
      return unavailable(
          "no TLS connection to the database can be made",
          "Check sslmode and sslrootcert in onceward.database.url, and the server's certificate",
          failure);
    }
    if (state.startsWith("08") || state.startsWith("57P")) {
      return unavailable(
          "the database does not answer (SQLSTATE " + state + ")",
          "Check onceward.database.url, and that the server runs",
          failure);
    }
    return switch (state) {
      case "28P01", "28000" ->
          unavailable(
              "the database refused the login (SQLSTATE " + state + ")",
              "Check onceward.database.user and onceward.database.password",
              failure);
      case "3D000" ->
          unavailable(
              "the database named in onceward.database.url does not exist",
              "Check its name, or create it and run the migrations",
              failure);
      case "3F000", "42P01", "42883", "42703" ->
          unavailable(
              "the database lacks what this command reads (SQLSTATE " + state + ")",
              "Run the migrations of this version, as onceward_owner",
              failure);
      case "42501" ->
          unavailable(
              "the role in onceward.database.user may not do this",
              "Use onceward_ops_read for commands that look, onceward_ops for those that change",
              failure);
      default -> null;
    };
  }

  private static StartupException unavailable(String message, String remedy, SQLException cause) {
    return new StartupException(ExitCode.UNAVAILABLE, message, remedy, cause);
  }
}
