package dev.onceward.bench;

import dev.onceward.db.Database;
import dev.onceward.db.migration.Bootstrap;
import dev.onceward.db.migration.Migrations;
import dev.onceward.db.workspace.WorkspaceStore;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A durable, migrated database with one workspace, another one that is empty, and a broker; all
 * temporary.
 */
public final class BenchServers implements AutoCloseable {

  public static final String DATABASE = "onceward";

  /** The role of API and workers. */
  public static final String APP_ROLE = "onceward_app";

  /** Of those who need none of our schema: what is written there is no part of our log. */
  private static final String OTHER_DATABASE = "other";

  private static final List<String> ROLES = List.of(APP_ROLE, "onceward_owner", "onceward_relay");

  private final PostgresServer postgres;
  private final KafkaBroker kafka;
  private final String password = UUID.randomUUID().toString();
  private final UUID workspaceId;
  private final Database app;

  /** Starts both and migrates; what they hold is gone after {@link #close}. */
  public BenchServers(KafkaOptions broker) throws SQLException {
    postgres = PostgresServer.start(PostgresOptions.temporary());
    kafka = KafkaBroker.start(broker);
    postgres.createDatabase(DATABASE);
    postgres.createDatabase(OTHER_DATABASE);
    try (Connection superuser = connectAsSuperuser()) {
      Bootstrap.run(superuser);
      for (String role : ROLES) {
        Bootstrap.setPassword(superuser, role, password.toCharArray());
      }
    }
    Migrations.migrate(url(), password);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url());
    source.setUser(APP_ROLE);
    source.setPassword(password);
    app = new Database(source);
    workspaceId = app.inTransaction(connection -> WorkspaceStore.create(connection, "bench"));
  }

  /** The database as the driver wants it. */
  public String url() {
    return postgres.jdbcUrl(DATABASE);
  }

  /** The empty database. */
  public String otherUrl() {
    return postgres.jdbcUrl(OTHER_DATABASE);
  }

  /** A connection to it that may do everything. */
  public Connection connectToOther() throws SQLException {
    return postgres.connect(OTHER_DATABASE);
  }

  /** PostgreSQL's port on 127.0.0.1. */
  public int port() {
    return postgres.port();
  }

  /** Of every role that logs in. */
  public String password() {
    return password;
  }

  /** The broker. */
  public String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** The only workspace. */
  public UUID workspaceId() {
    return workspaceId;
  }

  /** The database as the application sees it. */
  public Database app() {
    return app;
  }

  /** A connection that may do everything. */
  public Connection connectAsSuperuser() throws SQLException {
    return postgres.connect(DATABASE);
  }

  @Override
  public void close() {
    try (postgres) {
      kafka.close();
    }
  }
}
