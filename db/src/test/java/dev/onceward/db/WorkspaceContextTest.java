package dev.onceward.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One connection that goes on after a transaction, as a pool hands it to the next user. */
@ExtendWith(InfrastructureExtension.class)
class WorkspaceContextTest {

  private MigratedDatabase database;
  private Tenant tenant;
  private Connection pooled;

  @BeforeEach
  void connect(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    tenant = database.newTenant();
    pooled = database.connect("onceward_app");
    pooled.setAutoCommit(false);
  }

  @AfterEach
  void drop() throws SQLException {
    pooled.close();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_workspace_ends_with_its_transaction_and_leaves_nothing_to_the_next_user(boolean committed)
      throws SQLException {
    WorkspaceContext.set(pooled, tenant.workspaceId());
    assertThat(users()).isPositive();
    if (committed) {
      pooled.commit();
    } else {
      pooled.rollback();
    }
    assertThat(users()).isZero();
    pooled.rollback();
  }

  /** A program of somebody else's has set it for the session, against all advice. */
  @Test
  void a_workspace_that_a_session_has_is_not_seen_by_a_transaction_that_names_its_own()
      throws SQLException {
    try (Statement statement = pooled.createStatement()) {
      statement.execute("SET SESSION app.workspace_id = '" + tenant.workspaceId() + "'");
    }
    pooled.commit();
    WorkspaceContext.set(pooled, database.newTenant().workspaceId());
    try (Statement statement = pooled.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM onceward.users WHERE workspace_id = '%s'"
                    .formatted(tenant.workspaceId()))) {
      row.next();
      assertThat(row.getLong(1)).isZero();
    }
    pooled.rollback();
  }

  @Test
  void outside_a_transaction_no_workspace_is_set() throws SQLException {
    pooled.setAutoCommit(true);
    assertThatThrownBy(() -> WorkspaceContext.set(pooled, tenant.workspaceId()))
        .isInstanceOf(IllegalStateException.class);
    assertThat(users()).isZero();
  }

  private long users() throws SQLException {
    try (Statement statement = pooled.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM onceward.users")) {
      row.next();
      return row.getLong(1);
    }
  }
}
