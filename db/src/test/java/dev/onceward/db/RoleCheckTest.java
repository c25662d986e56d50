package dev.onceward.db;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which roles API and workers do not start with. */
@ExtendWith(InfrastructureExtension.class)
@Tag("S51")
class RoleCheckTest {

  private MigratedDatabase database;

  @BeforeEach
  void migrate(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void roles_that_row_level_security_does_not_bind_are_refused() throws SQLException {
    try (Connection app = database.connect("onceward_app")) {
      RoleCheck.requireBoundByRowLevelSecurity(app);
    }
    try (Connection owner = database.connect("onceward_owner")) {
      assertRefused(owner, "onceward_owner owns the tables");
    }
    try (Connection superuser = database.superuser()) {
      assertRefused(superuser, "is a superuser");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"onceward_relay", "onceward_ops", "onceward_ops_read"})
  void roles_that_a_policy_shows_every_workspace_are_refused(String role) throws SQLException {
    try (Connection connection = database.connect(role)) {
      assertRefused(connection, role + " is shown every workspace's rows by a policy");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"onceward_ops_read", "onceward_definer", "mighty_administrator"})
  void a_member_of_such_a_role_is_refused_although_it_does_not_inherit(String group)
      throws SQLException {
    String member = "member_" + UUID.randomUUID().toString().replace('-', '_');
    superuser("CREATE ROLE mighty_administrator BYPASSRLS");
    superuser("CREATE ROLE " + member + " LOGIN PASSWORD 'x'");
    superuser("GRANT onceward_app TO " + member + " WITH INHERIT TRUE");
    try {
      try (Connection connection = connect(member)) {
        RoleCheck.requireBoundByRowLevelSecurity(connection);
      }
      superuser("GRANT " + group + " TO " + member + " WITH INHERIT FALSE");
      try (Connection connection = connect(member)) {
        assertRefused(connection, member);
      }
    } finally {
      superuser("DROP ROLE " + member);
      superuser("DROP ROLE mighty_administrator");
    }
  }

  @Test
  void a_role_whose_sessions_begin_with_a_workspace_is_refused() throws SQLException {
    superuser(
        "ALTER DATABASE %s SET app.workspace_id = '%s'"
            .formatted(database.name(), UUID.randomUUID()));
    try (Connection app = database.connect("onceward_app")) {
      assertRefused(app, "begins its sessions with a workspace");
    }
  }

  private static void assertRefused(Connection connection, String reason) {
    assertThatThrownBy(() -> RoleCheck.requireBoundByRowLevelSecurity(connection))
        .isInstanceOf(UnsafeRoleException.class)
        .hasMessageContaining(reason);
  }

  private Connection connect(String role) throws SQLException {
    return DriverManager.getConnection(database.url(), role, "x");
  }

  private void superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
