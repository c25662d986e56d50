package dev.onceward.embedded;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A real PostgreSQL server that belongs to this JVM: a child process, or a container. Thread-safe.
 *
 * <p>{@link #close()} stops it and deletes what was temporary.
 */
public interface PostgresServer extends AutoCloseable {

  /**
   * Starts a server as a child process and returns when it answers.
   *
   * @throws InfrastructureException with value and remedy: port taken, directory in use or made by
   *     another major version, programs that cannot be unpacked or run, a setting refused
   */
  static PostgresServer start(PostgresOptions options) {
    return EmbeddedPostgres.started(options);
  }

  /** Where it listens; a loopback address or the Docker host. */
  String host();

  /** The TCP port; the same after every restart. */
  int port();

  /** The name of the superuser. */
  String superuser();

  /** The superuser's password; a kept directory keeps it. */
  String superuserPassword();

  /** Whether the server process runs. */
  boolean isRunning();

  /** Starts it again on the same data and port; returns when it answers. No effect if it runs. */
  void start();

  /**
   * Stops it; returns when nothing of it runs any more. No effect if it does not run.
   *
   * @throws InfrastructureException if it still runs after 60 s (a client under SMART)
   */
  void stop(ShutdownMode mode);

  /**
   * SIGKILL to the postmaster and its children, as if the power had gone; returns when all are
   * gone.
   */
  void kill();

  /** The last lines of the server's log. */
  String logTail();

  /** Stops the server, gives a kept directory free and deletes a temporary one. */
  @Override
  void close();

  /** The JDBC URL of a database, without user and password. */
  default String jdbcUrl(String database) {
    return "jdbc:postgresql://" + host() + ":" + port() + "/" + database;
  }

  /** A new connection of the superuser; the caller closes it. */
  default Connection connect(String database) throws SQLException {
    return PostgresDatabases.connect(this, database);
  }

  /** Creates an empty database, owned by the superuser. */
  default void createDatabase(String name) throws SQLException {
    PostgresDatabases.create(this, name, "template0");
  }

  /**
   * Creates a database as a copy of another, to which nobody may be connected; far faster than
   * migrating each test's database.
   */
  default void createDatabase(String name, String template) throws SQLException {
    PostgresDatabases.create(this, name, template);
  }

  /**
   * Drops a database with its replication slots, ending every connection to it. No effect if it
   * does not exist.
   */
  default void dropDatabase(String name) throws SQLException {
    PostgresDatabases.drop(this, name);
  }
}
