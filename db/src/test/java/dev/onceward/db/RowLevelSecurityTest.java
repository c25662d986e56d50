package dev.onceward.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(InfrastructureExtension.class)
@Tag("S51")
class RowLevelSecurityTest {

  private MigratedDatabase database;
  private Tenant one;
  private Tenant other;

  @BeforeEach
  void two_workspaces_with_a_task_each(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    one = database.newTenant();
    other = database.newTenant();
    for (Tenant tenant : List.of(one, other)) {
      database
          .app()
          .runInWorkspace(
              tenant.workspaceId(),
              connection -> {
                TaskWriter.append(
                    connection,
                    NewTask.of("check_it", NewEvent.of("thing.checked", "thing", "1", "{}")));
              });
    }
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(
          """
          INSERT INTO onceward.parked_events (event_id, workspace_id, topic, partition_key, record_key, record_value, record_headers, xid)
          SELECT id, workspace_id, 't', 'k', '', '', '{}', xid FROM onceward.outbox_events
          """);
      statement.execute("INSERT INTO onceward.relay_state (relay) VALUES ('onceward')");
      // A hook, receipts, a run and a to-do each, all with the workspace's own id.
      statement.execute(
          """
          INSERT INTO onceward.hooks (id, workspace_id, name, action, secret)
            SELECT workspace_id, workspace_id, 'h', 'resolve_todo', '' FROM onceward.workspaces;
          INSERT INTO onceward.hook_receipts (workspace_id, hook_id, idem_key)
            SELECT workspace_id, workspace_id, 'k' FROM onceward.workspaces;
          INSERT INTO onceward.api_receipts (workspace_id, owner_user_id, idem_key, access_key_id, endpoint)
            SELECT workspace_id, id, 'k', 'abcdefgh', 'POST /x' FROM onceward.users;
          INSERT INTO onceward.runs (id, workspace_id, flow, input, operation_id)
            SELECT workspace_id, workspace_id, 'f', '{}', workspace_id FROM onceward.workspaces;
          INSERT INTO onceward.todos (workspace_id, run_id, name)
            SELECT workspace_id, workspace_id, 't' FROM onceward.workspaces
          """);
    }
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void every_table_with_a_workspace_and_every_partition_forces_row_level_security()
      throws SQLException {
    List<String> unforced =
        texts(
            "superuser",
            """
            SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
            WHERE c.relnamespace = 'onceward'::regnamespace AND c.relkind IN ('r', 'p')
              AND NOT (c.relrowsecurity AND c.relforcerowsecurity
                AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'workspace_isolation'))
            """);
    assertThat(unforced).isEmpty();
    assertThat(tablesWithWorkspace())
        .contains("outbox_events", "outbox_events_default", "operations", "stores")
        .contains("drafts", "publications", "product_syncs", "products", "ai_tasks", "kept_events")
        .hasSizeGreaterThan(15);
  }

  @Test
  void every_foreign_key_between_tables_with_a_workspace_names_it_on_both_sides()
      throws SQLException {
    List<String> keys =
        texts(
            "superuser",
            """
            SELECT k.conrelid::regclass || ' ' || k.conname || ' ' || coalesce((
                SELECT bool_or(own.attname = 'workspace_id' AND theirs.attname = 'workspace_id')
                FROM unnest(k.conkey, k.confkey) AS pair (own, theirs)
                JOIN pg_attribute own ON own.attrelid = k.conrelid AND own.attnum = pair.own
                JOIN pg_attribute theirs ON theirs.attrelid = k.confrelid AND theirs.attnum = pair.theirs), false)
            FROM pg_constraint k
            JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attname = 'workspace_id'
            JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attname = 'workspace_id'
            WHERE k.contype = 'f' AND k.connamespace = 'onceward'::regnamespace ORDER BY 1
            """);
    assertThat(keys)
        .hasSizeGreaterThan(20)
        .contains("onceward.hook_receipts hook_receipts_hook true")
        .allMatch(key -> key.endsWith(" true"));
  }

  /**
   * A unique key tells whoever writes the same value that it exists. It includes the workspace,
   * unless nobody can choose its value: ids that are made here, and what is looked up before a
   * workspace is known.
   */
  @Test
  void every_unique_key_of_a_table_with_a_workspace_includes_it_or_is_an_id_of_ours()
      throws SQLException {
    List<String> others =
        texts(
            "superuser",
            """
            SELECT i.indrelid::regclass || ' (' || string_agg(c.attname || ' ' || format_type(c.atttypid, NULL), ', '
                ORDER BY c.attnum) || ')'
            FROM pg_index i
            JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = 'onceward'::regnamespace AND NOT t.relispartition
            JOIN pg_attribute w ON w.attrelid = t.oid AND w.attname = 'workspace_id'
            JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = ANY (i.indkey::int2[])
            WHERE i.indisunique AND NOT w.attnum = ANY (i.indkey::int2[])
            GROUP BY i.indexrelid, i.indrelid ORDER BY 1
            """);
    assertThat(others)
        .contains("onceward.hooks (id uuid)")
        .allMatch(
            key ->
                key.endsWith(" (id uuid)")
                    || key.endsWith(" (event_id uuid)")
                    || key.equals("onceward.access_keys (key_id text)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"onceward_app", "onceward_owner"})
  void without_a_workspace_no_row_of_any_table_or_view_is_seen(String role) throws SQLException {
    List<String> relations = tablesWithWorkspace();
    relations.add("outbox_event_status");
    for (String relation : relations) {
      for (String setting : List.of("", "SELECT set_config('app.workspace_id', '', true)")) {
        try (Connection connection = database.connect(role);
            Statement statement = connection.createStatement()) {
          connection.setAutoCommit(false);
          if (!setting.isEmpty()) {
            statement.execute(setting);
          }
          try (ResultSet row =
              statement.executeQuery("SELECT count(workspace_id) FROM onceward." + relation)) {
            row.next();
            assertThat(row.getLong(1)).as("%s sees %s", role, relation).isZero();
          } catch (SQLException refused) {
            assertThat(refused.getSQLState())
                .as("%s reads %s", role, relation)
                .isEqualTo(SqlStates.INSUFFICIENT_PRIVILEGE);
          }
        }
      }
    }
  }

  @Test
  void without_a_workspace_no_event_can_be_written_parked_or_delivered() throws SQLException {
    List<String> attempts = new ArrayList<>();
    attempts.add(
        "INSERT INTO onceward.outbox_events (workspace_id, event_type, aggregate_type, aggregate_id, resource_type, resource_id, payload)"
            + " VALUES ('%s', 'a.b', 'a', '1', 'a', '1', '{}')".formatted(one.workspaceId()));
    attempts.add("UPDATE onceward.outbox_events SET payload = '{}'");
    attempts.add("DELETE FROM onceward.outbox_events");
    attempts.add("TRUNCATE onceward.outbox_events");
    attempts.add("SELECT * FROM onceward.relay_state");
    attempts.add("UPDATE onceward.relay_state SET audited_snapshot = pg_current_snapshot()");
    attempts.add("UPDATE onceward.parked_events SET status = 'discarded'");
    attempts.add("DELETE FROM onceward.parked_events");
    attempts.add("SELECT record_value FROM onceward.parked_events");
    attempts.add("SELECT pg_create_logical_replication_slot('forbidden', 'pgoutput')");
    attempts.add("SELECT pg_drop_replication_slot('onceward')");
    attempts.add("SELECT pg_replication_slot_advance('onceward', '0/1')");
    attempts.add(
        "SELECT * FROM pg_logical_slot_get_binary_changes('onceward', NULL, NULL, 'proto_version', '1', 'publication_names', 'onceward_outbox')");
    attempts.add("SELECT onceward.outbox_create_partitions(0, 1)");
    attempts.add("SELECT onceward.outbox_drop_partition('outbox_events_20200101', '7 days')");
    attempts.add("SELECT onceward.outbox_delete_old_default_rows('7 days', 1)");
    attempts.add("DELETE FROM onceward.hook_receipts");
    attempts.add("DELETE FROM onceward.api_receipts");
    attempts.add("UPDATE onceward.hook_receipts SET hook_id = id");
    attempts.add("DELETE FROM onceward.runs");
    attempts.add("UPDATE onceward.todos SET run_id = id");
    attempts.add("SET ROLE onceward_definer");
    attempts.add("SET ROLE onceward_owner");
    for (String partition :
        texts(
            "superuser",
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'onceward.outbox_events'::regclass")) {
      attempts.add("SELECT * FROM " + partition);
      attempts.add("DELETE FROM " + partition);
    }
    assertThat(attempts).hasSizeGreaterThan(30);
    for (String attempt : attempts) {
      assertThatThrownBy(() -> texts("onceward_app", attempt))
          .as(attempt)
          .isInstanceOfSatisfying(
              SQLException.class,
              refused ->
                  assertThat(refused.getSQLState())
                      .as(attempt)
                      .isEqualTo(SqlStates.INSUFFICIENT_PRIVILEGE));
    }
  }

  @Test
  void a_workspace_sees_its_own_rows_and_cannot_write_into_another() throws SQLException {
    database
        .app()
        .runInWorkspace(
            one.workspaceId(),
            connection -> {
              assertThat(OperationStore.list(connection, null, null, null, 10)).hasSize(1);
              assertThatThrownBy(
                      () -> {
                        try (Statement statement = connection.createStatement()) {
                          statement.execute(
                              "INSERT INTO onceward.users (workspace_id, name) VALUES ('%s', 'x')"
                                  .formatted(other.workspaceId()));
                        }
                      })
                  .isInstanceOf(SQLException.class)
                  .hasMessageContaining("row-level security");
              connection.rollback();
            });
  }

  @Test
  void a_key_cannot_be_given_to_a_user_of_another_workspace() {
    assertThatThrownBy(
            () ->
                database
                    .app()
                    .inWorkspace(
                        one.workspaceId(),
                        connection -> AccessKeyStore.create(connection, other.userId(), "theirs")))
        .isInstanceOfSatisfying(
            SQLException.class,
            refused -> assertThat(SqlStates.constraint(refused)).isEqualTo("access_keys_user"));
  }

  @Test
  void the_service_can_neither_make_nor_change_an_installation_administrator() throws SQLException {
    UUID mighty;
    try (Connection operator = database.connect("onceward_ops")) {
      operator.setAutoCommit(false);
      WorkspaceContext.set(operator, one.workspaceId());
      mighty = UserStore.create(operator, "an operator", Role.INSTALLATION_ADMINISTRATOR);
      operator.commit();
    }
    for (Database.Action attempt :
        List.<Database.Action>of(
            c -> UserStore.create(c, "x", Role.INSTALLATION_ADMINISTRATOR),
            c -> UserStore.update(c, one.userId(), "x", Role.INSTALLATION_ADMINISTRATOR, false))) {
      assertThatThrownBy(() -> database.app().runInWorkspace(one.workspaceId(), attempt))
          .isInstanceOfSatisfying(
              SQLException.class,
              refused ->
                  assertThat(refused.getSQLState()).isEqualTo(SqlStates.INSUFFICIENT_PRIVILEGE));
    }
    database
        .app()
        .runInWorkspace(
            one.workspaceId(),
            connection -> {
              assertThat(UserStore.update(connection, mighty, "x", Role.MEMBER, true)).isEmpty();
              assertThat(UserStore.find(connection, mighty).orElseThrow().role())
                  .isEqualTo(Role.INSTALLATION_ADMINISTRATOR);
            });
  }

  @Test
  void a_receipt_run_or_to_do_cannot_name_a_row_of_another_workspace() {
    List<String> attempts =
        List.of(
            "INSERT INTO onceward.hook_receipts (hook_id, idem_key) VALUES ('%s', 'x')"
                .formatted(other.workspaceId()),
            "INSERT INTO onceward.api_receipts (owner_user_id, idem_key, access_key_id, endpoint) VALUES ('%s', 'x', 'abcdefgh', 'x')"
                .formatted(other.userId()),
            "INSERT INTO onceward.todos (run_id, name) VALUES ('%s', 'x')"
                .formatted(other.workspaceId()));
    for (String attempt : attempts) {
      assertThatThrownBy(
              () ->
                  database
                      .app()
                      .inWorkspace(
                          one.workspaceId(),
                          connection -> {
                            try (Statement statement = connection.createStatement()) {
                              return statement.execute(attempt);
                            }
                          }))
          .as(attempt)
          .hasMessageContaining("violates foreign key constraint");
    }
  }

  @Test
  void the_relay_sees_the_events_of_every_workspace_and_writes_none() throws SQLException {
    assertThat(texts("onceward_relay", "SELECT workspace_id::text FROM onceward.outbox_events"))
        .containsExactlyInAnyOrder(one.workspaceId().toString(), other.workspaceId().toString());
    assertThatThrownBy(() -> texts("onceward_relay", "DELETE FROM onceward.outbox_events"))
        .hasMessageContaining("permission denied");
  }

  private List<String> tablesWithWorkspace() throws SQLException {
    return texts(
        "superuser",
        """
        SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
        WHERE c.relnamespace = 'onceward'::regnamespace AND c.relkind IN ('r', 'p')
        """);
  }

  private List<String> texts(String role, String sql) throws SQLException {
    try (Connection connection =
            role.equals("superuser") ? database.superuser() : database.connect(role);
        Statement statement = connection.createStatement()) {
      List<String> texts = new ArrayList<>();
      if (statement.execute(sql)) {
        try (ResultSet row = statement.getResultSet()) {
          while (row.next()) {
            texts.add(row.getString(1));
          }
        }
      }
      return texts;
    }
  }
}
