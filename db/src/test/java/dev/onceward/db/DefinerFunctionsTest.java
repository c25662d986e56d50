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
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The few functions with more rights than their caller: what they show, and to whom. */
@ExtendWith(InfrastructureExtension.class)
@Tag("S51")
class DefinerFunctionsTest {

  private MigratedDatabase database;
  private Tenant one;
  private Tenant other;

  @BeforeEach
  void two_workspaces_with_a_task_and_a_hook_each(PostgresServer server) throws SQLException {
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
    superuser(
        """
        INSERT INTO onceward.hooks (id, workspace_id, name, action, secret)
          SELECT workspace_id, workspace_id, 'h', 'resolve_todo', '' FROM onceward.workspaces
        """);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void definer_functions_look_across_workspaces_without_a_setting() throws SQLException {
    try (Connection connection = database.connect("onceward_app")) {
      for (Tenant tenant : List.of(one, other)) {
        assertThat(
                AccessKeyStore.find(connection, tenant.accessKey().keyId())
                    .orElseThrow()
                    .workspaceId())
            .isEqualTo(tenant.workspaceId());
      }
      assertThat(OperationStore.due(connection, List.of("check_it"), 10)).isEmpty();
    }
    expireBothLeases();
    try (Connection connection = database.connect("onceward_app")) {
      assertThat(OperationStore.due(connection, List.of("check_it"), 10))
          .extracting("workspaceId")
          .containsExactlyInAnyOrder(one.workspaceId(), other.workspaceId());
      assertThat(OperationStore.due(connection, List.of("another_kind"), 10)).isEmpty();
    }
  }

  @Test
  void a_delivery_finds_its_hook_in_any_workspace_without_a_setting() throws SQLException {
    for (Tenant tenant : List.of(one, other)) {
      assertThat(
              texts(
                  "onceward_app",
                  "SELECT workspace_id::text FROM onceward.find_hook('%s')"
                      .formatted(tenant.workspaceId())))
          .containsExactly(tenant.workspaceId().toString());
    }
    assertThatThrownBy(
            () ->
                texts(
                    "onceward_relay",
                    "SELECT * FROM onceward.find_hook('%s')".formatted(one.workspaceId())))
        .hasMessageContaining("permission denied");
  }

  @Test
  void each_fixes_its_search_path_and_none_is_for_everybody() throws SQLException {
    List<String> functions =
        texts(
            "onceward_app",
            """
            SELECT p.proname || ' ' || coalesce(p.proconfig[1], '-') || ' '
              || CASE WHEN has_function_privilege('public', p.oid, 'EXECUTE') THEN 'public' ELSE 'named' END
            FROM pg_proc p WHERE p.pronamespace = 'onceward'::regnamespace AND p.prosecdef
            """);
    assertThat(functions)
        .hasSizeGreaterThan(10)
        .contains("find_access_key search_path=onceward, pg_temp named")
        .allMatch(function -> function.endsWith(" search_path=onceward, pg_temp named"));
  }

  /** Names that a caller makes come first in the caller's own path, and must mean nothing. */
  @Test
  void what_a_caller_names_like_our_tables_and_functions_is_not_used() throws SQLException {
    expireBothLeases();
    superuser("INSERT INTO onceward.relay_state (relay) VALUES ('onceward')");
    String key = other.accessKey().keyId();
    try (Connection connection = database.connect("onceward_app");
        Statement statement = connection.createStatement()) {
      for (String shadow :
          List.of(
              "CREATE TEMP TABLE access_keys AS SELECT '%s'::text AS key_id, '%s'::uuid AS workspace_id, '%s'::uuid AS user_id, ''::bytea AS secret_hash, NULL::timestamptz AS revoked_at, NULL::timestamptz AS expires_at"
                  .formatted(key, one.workspaceId(), one.userId()),
              "CREATE TEMP TABLE users AS SELECT '%s'::uuid AS id, '%s'::uuid AS workspace_id, 'installation_administrator' AS role, NULL::timestamptz AS disabled_at"
                  .formatted(one.userId(), one.workspaceId()),
              "CREATE TEMP TABLE relay_state AS SELECT pg_current_snapshot() AS audited_snapshot",
              "CREATE TEMP TABLE operations (id uuid)",
              "CREATE TEMP TABLE hooks (id uuid)",
              "CREATE TEMP TABLE unnest (oid oid)",
              "CREATE DOMAIN pg_temp.uuid AS text",
              "CREATE DOMAIN pg_temp.interval AS text",
              "CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT timestamptz ''2000-01-01'''",
              "CREATE FUNCTION pg_temp.count(text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
              "CREATE FUNCTION pg_temp.any_text(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
              "CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.any_text)",
              "SET search_path = pg_temp, pg_catalog, onceward")) {
        statement.execute(shadow);
      }
      assertThat(
              one(
                  statement,
                  "SELECT workspace_id || ' ' || role || ' ' || octet_length(secret_hash) FROM onceward.find_access_key('"
                      + key
                      + "')"))
          .isEqualTo(other.workspaceId() + " administrator 32");
      assertThat(one(statement, "SELECT count(*) FROM onceward.find_access_key('another')"))
          .isEqualTo("0");
      assertThat(one(statement, "SELECT coalesce(onceward.audited_snapshot()::text, 'none')"))
          .isEqualTo("none");
      assertThat(one(statement, "SELECT count(*) FROM onceward.due_operations('{check_it}', 10)"))
          .isEqualTo("2");
      assertThat(
              one(
                  statement,
                  "SELECT count(*) FROM onceward.find_hook('%s')".formatted(other.workspaceId())))
          .isEqualTo("1");
      assertThat(one(statement, "SELECT onceward.delete_old_api_receipts(10)")).isEqualTo("0");
    }
  }

  /** A CHECK runs with the writer's search path, so its words must not be the writer's either. */
  @Test
  void a_writer_cannot_take_the_guard_against_secrets_away_by_its_search_path()
      throws SQLException {
    try (Connection connection = database.connect("onceward_app");
        Statement statement = connection.createStatement()) {
      for (String shadow :
          List.of(
              "CREATE FUNCTION pg_temp.replace(text, text, text) RETURNS text LANGUAGE sql AS $$ SELECT '' $$",
              "CREATE FUNCTION pg_temp.text_has_secret(text) RETURNS boolean LANGUAGE sql AS 'SELECT false'",
              "CREATE FUNCTION pg_temp.no_match(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false'",
              "CREATE OPERATOR pg_temp.~* (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_temp.no_match)",
              "SET search_path = pg_temp, pg_catalog")) {
        statement.execute(shadow);
      }
      connection.setAutoCommit(false);
      WorkspaceContext.set(connection, one.workspaceId());
      assertThatThrownBy(
              () ->
                  statement.execute(
                      "SELECT onceward.outbox_append('a.b', 'a', '1', '{\"passwor\\u0064\":\"x\"}')"))
          .isInstanceOfSatisfying(
              SQLException.class,
              refused ->
                  assertThat(SqlStates.constraint(refused))
                      .isEqualTo("outbox_events_payload_without_secret"));
    }
  }

  private void expireBothLeases() throws SQLException {
    superuser(
        "UPDATE onceward.operations SET state = 'running', attempt = 1, lease_owner = 'gone', lease_expires_at = now() - interval '1 s'");
  }

  private void superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> texts(String role, String sql) throws SQLException {
    try (Connection connection = database.connect(role);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (row.next()) {
        texts.add(row.getString(1));
      }
      return texts;
    }
  }

  private static String one(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
