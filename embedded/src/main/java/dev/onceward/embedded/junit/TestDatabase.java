package dev.onceward.embedded.junit;

import dev.onceward.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** A fresh database on a server, dropped at the end. Thread-safe. */
public final class TestDatabase implements AutoCloseable {
  private final PostgresServer server;
  private final String name;

  private TestDatabase(PostgresServer server, String name) {
    this.server = server;
    this.name = name;
  }

  /** An empty one. */
  public static TestDatabase create(PostgresServer server) throws SQLException {
    TestDatabase database = new TestDatabase(server, newName());
    server.createDatabase(database.name);
    return database;
  }

  /** A copy of another database, to which nobody may be connected. */
  public static TestDatabase copy(PostgresServer server, String template) throws SQLException {
    TestDatabase database = new TestDatabase(server, newName());
    server.createDatabase(database.name, template);
    return database;
  }

  private static String newName() {
    return "test_" + UUID.randomUUID().toString().replace("-", "");
  }

  /** Where it lies. */
  public PostgresServer server() {
    return server;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its JDBC URL, without user and password; those are the server's superuser's. */
  public String jdbcUrl() {
    return server.jdbcUrl(name);
  }

  /** A new connection of the superuser; the caller closes it. */
  public Connection connect() throws SQLException {
    return server.connect(name);
  }

  /** Drops it with its replication slots. No effect if the server does not run. */
  @Override
  public void close() throws SQLException {
    if (server.isRunning()) {
      server.dropDatabase(name);
    }
  }
}
