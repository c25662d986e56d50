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

  /**
   * Starts a primary from a copy: the same system identifier and roles, what the copy holds, and no
   * replication slot. The copy stays and can be used again.
   *
   * @throws InfrastructureException also if the directory holds data already
   */
  static PostgresServer start(PostgresOptions options, BaseCopy copy) {
    return EmbeddedPostgres.started(options, copy);
  }

  /**
   * Starts a standby from a copy of a primary, which it then follows by streaming, asynchronously.
   * Its own {@code primary_slot_name} and the like are options. It can be stopped and started again
   * while the primary is away; {@link #promote} makes it a primary.
   *
   * @throws InfrastructureException also if the directory holds data already
   */
  static PostgresServer startStandby(
      PostgresOptions options, BaseCopy copy, PostgresServer primary) {
    return EmbeddedPostgres.startedAsStandby(options, copy, primary);
  }

  /** Where it listens; a loopback address or the Docker host. */
  String host();

  /** The TCP port; the same after every restart. */
  int port();

  /** The name of the superuser. */
  String superuser();

  /** The superuser's password; a kept directory keeps it. */
  String superuserPassword();

  /** Whether the server process runs (a suspended one does). */
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

  /**
   * SIGSTOP to all its processes: connections stay open and nothing is answered.
   *
   * @throws IllegalStateException if it does not run
   */
  void suspend();

  /**
   * SIGCONT: goes on after {@link #suspend()}.
   *
   * @throws IllegalStateException if it does not run
   */
  void resume();

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

  /**
   * Takes a copy of its files while it runs, from which other servers can be started. The caller
   * closes it.
   *
   * @throws InfrastructureException if its files are not on this machine (a container)
   */
  default BaseCopy baseCopy() throws SQLException {
    return BaseCopy.of(this);
  }

  /** Makes a standby a primary; returns when it accepts writes. */
  default void promote() throws SQLException {
    PostgresDatabases.promote(this);
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
