package dev.onceward.local.cluster;

import dev.onceward.db.migration.Bootstrap;
import dev.onceward.db.migration.Migrations;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.db.workspace.WorkspaceStore;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.process.Secret;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.flywaydb.core.api.FlywayException;

/** Makes a server ready for our services; doing it again is harmless. Confined to one thread. */
final class DatabaseSetup {

  private static final String MAINTENANCE_DATABASE = "postgres";

  private final PostgresServer postgres;
  private final String database;
  private final ClusterSecrets secrets;

  DatabaseSetup(PostgresServer postgres, String database, ClusterSecrets secrets) {
    this.postgres = postgres;
    this.database = database;
    this.secrets = secrets;
  }

  /** Database, roles, passwords, migrations. */
  void prepare() {
    try {
      createDatabase();
      try (Connection administrator = postgres.connect(database)) {
        Bootstrap.run(administrator);
        for (String role : ClusterSecrets.LOGIN_ROLES) {
          Bootstrap.setPassword(administrator, role, secrets.password(role).toCharArray());
        }
      }
      Migrations.migrate(postgres.jdbcUrl(database), secrets.password(ClusterSecrets.OWNER));
    } catch (SQLException | FlywayException failure) {
      throw StartupException.unavailable(
          "the database could not be prepared (" + failure.getMessage() + ")",
          "If the data directory comes from another version of onceward, use that one, or start"
              + " with a new directory",
          failure);
    }
  }

  /** A new workspace with one user and one key, as an operator would make it. */
  WorkspaceAccess createWorkspace(String name, String userName, String keyName) {
    try (Connection connection =
        DriverManager.getConnection(
            postgres.jdbcUrl(database), ClusterSecrets.OPS, secrets.password(ClusterSecrets.OPS))) {
      connection.setAutoCommit(false);
      UUID workspaceId = WorkspaceStore.create(connection, name);
      UUID userId = UserStore.create(connection, userName, Role.ADMINISTRATOR);
      Secret key = new Secret(AccessKeyStore.create(connection, userId, keyName).reveal());
      connection.commit();
      return new WorkspaceAccess(workspaceId, userId, key);
    } catch (SQLException failure) {
      throw StartupException.unavailable(
          "workspace \"" + name + "\" could not be made (" + failure.getMessage() + ")",
          "See the server's log",
          failure);
    }
  }

  private void createDatabase() throws SQLException {
    try (Connection administrator = postgres.connect(MAINTENANCE_DATABASE);
        PreparedStatement statement =
            administrator.prepareStatement("SELECT FROM pg_database WHERE datname = ?")) {
      statement.setString(1, database);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          return;
        }
      }
    }
    postgres.createDatabase(database);
  }
}
