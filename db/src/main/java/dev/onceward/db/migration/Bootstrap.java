package dev.onceward.db.migration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** Makes the roles and the schema. Running it again is harmless. */
public final class Bootstrap {

  private static final String SCRIPT = "bootstrap.sql";

  private Bootstrap() {}

  /**
   * Runs {@code bootstrap.sql} in the connection's database.
   *
   * @param administrator a connection of a superuser, or of a managed PostgreSQL's administrator
   * @throws SQLException if the server refuses
   */
  public static void run(Connection administrator) throws SQLException {
    try (Statement statement = administrator.createStatement()) {
      statement.execute(script());
    }
  }

  /**
   * Sets a role's password. The server gets only its SCRAM verifier.
   *
   * @param password cleared by the driver
   */
  public static void setPassword(Connection administrator, String role, char[] password)
      throws SQLException {
    administrator.unwrap(PGConnection.class).alterUserPassword(role, password, "scram-sha-256");
  }

  private static String script() {
    try (InputStream in = Bootstrap.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IllegalStateException("%s is missing from the class path".formatted(SCRIPT));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
