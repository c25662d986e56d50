package dev.onceward.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an attacker tries who has the password of one of our roles, and nothing else. */
@ExtendWith(InfrastructureExtension.class)
@Tag("S51")
class StolenPasswordTest {

  private static final String ALL_ROLES =
      "onceward_owner onceward_app onceward_relay onceward_ops onceward_ops_read";

  private static MigratedDatabase database;

  @BeforeAll
  static void migrate(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    superuser("INSERT INTO onceward.relay_state (relay) VALUES ('onceward')");
  }

  @AfterAll
  static void drop() throws SQLException {
    database.close();
  }

  /** To more rights, to the server's files and programs, to its settings and to other sessions. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "onceward_owner",
        "onceward_app",
        "onceward_relay",
        "onceward_ops",
        "onceward_ops_read"
      })
  void no_role_gets_beyond_the_database(String role) throws SQLException {
    List<String> attempts = new ArrayList<>();
    attempts.add("SET ROLE postgres");
    attempts.add("SET SESSION AUTHORIZATION postgres");
    attempts.add("SET ROLE pg_execute_server_program");
    for (String other : ALL_ROLES.split(" ")) {
      if (!other.equals(role)) {
        attempts.add("SET ROLE " + other);
        attempts.add("ALTER ROLE " + other + " PASSWORD 'mine'");
        attempts.add("ALTER ROLE " + other + " SET search_path = pg_temp");
        attempts.add("GRANT " + other + " TO " + role);
      }
    }
    attempts.add("CREATE ROLE accomplice LOGIN SUPERUSER");
    attempts.add("CREATE DATABASE elsewhere");
    attempts.add("GRANT pg_read_server_files TO " + role);
    attempts.add("GRANT onceward_definer TO " + role);
    attempts.add("ALTER ROLE " + role + " SUPERUSER");
    attempts.add("ALTER ROLE " + role + " BYPASSRLS");
    attempts.add("ALTER ROLE " + role + " CREATEROLE");
    if (!role.equals("onceward_relay")) {
      attempts.add("ALTER ROLE " + role + " REPLICATION");
      attempts.add("SELECT pg_create_logical_replication_slot('theirs', 'pgoutput')");
      attempts.add("SELECT pg_drop_replication_slot('onceward')");
      attempts.add("SELECT pg_replication_slot_advance('onceward', '0/1')");
    }
    attempts.add("SELECT rolpassword FROM pg_authid");
    attempts.add("SELECT passwd FROM pg_shadow");
    attempts.add("SELECT * FROM pg_hba_file_rules");
    attempts.add("SELECT * FROM pg_file_settings");
    attempts.add("SELECT * FROM pg_statistic");
    attempts.add("SELECT data FROM pg_largeobject");
    attempts.add("SELECT subconninfo FROM pg_subscription");
    attempts.add("COPY (SELECT 1) TO PROGRAM 'true'");
    attempts.add("COPY (SELECT 1) TO '/tmp/out'");
    attempts.add("CREATE TEMP TABLE lines (line text); COPY lines FROM '/etc/passwd'");
    attempts.add("CREATE TEMP TABLE words (word text); COPY words FROM PROGRAM 'id'");
    attempts.add("SELECT pg_read_file('postgresql.conf')");
    attempts.add("SELECT pg_read_binary_file('pg_hba.conf')");
    attempts.add("SELECT pg_ls_dir('.')");
    attempts.add("SELECT * FROM pg_ls_waldir()");
    attempts.add("SELECT pg_stat_file('postgresql.conf')");
    attempts.add("SELECT lo_import('/etc/passwd')");
    attempts.add("SELECT lo_export(lo_create(0), '/tmp/out')");
    attempts.add("ALTER SYSTEM SET archive_command = 'true'");
    attempts.add("SELECT pg_reload_conf()");
    attempts.add("SELECT pg_switch_wal()");
    attempts.add("SET session_replication_role = replica");
    attempts.add("SET log_statement = 'all'");
    attempts.add(
        "CREATE FUNCTION pg_temp.run(text) RETURNS int LANGUAGE c AS 'libc.so.6', 'system'");
    attempts.add("CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE internal AS 'pg_backend_pid'");
    attempts.add(
        "CREATE EVENT TRIGGER every ON ddl_command_end EXECUTE FUNCTION onceward.refuse_change()");
    attempts.add("CREATE PUBLICATION everything FOR ALL TABLES");
    attempts.add(
        "CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1' PUBLICATION p WITH (connect = false)");
    attempts.add("CREATE TABLE public.mine (i integer)");
    attempts.add(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres' AND datname = current_database()");
    try (Connection other = database.superuser()) {
      assertThat(other.isValid(5)).isTrue();
      assertRefused(role, attempts);
      assertThat(other.isValid(5)).as("the superuser's session").isTrue();
    }
  }

  /** To the schema: its tables, its policies, its functions, its publication. */
  @ParameterizedTest
  @ValueSource(strings = {"onceward_app", "onceward_relay", "onceward_ops", "onceward_ops_read"})
  void no_role_but_the_owner_changes_the_schema(String role) throws SQLException {
    List<String> attempts = new ArrayList<>();
    attempts.add("SET ROLE onceward_definer");
    attempts.add("CREATE SCHEMA mine");
    attempts.add("CREATE TABLE onceward.mine (i integer)");
    attempts.add(
        "CREATE FUNCTION onceward.current_workspace(text) RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'");
    attempts.add(
        "CREATE OR REPLACE FUNCTION onceward.current_workspace() RETURNS uuid LANGUAGE sql STABLE AS 'SELECT NULL::uuid'");
    attempts.add(
        "CREATE OPERATOR onceward.= (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_eq)");
    attempts.add("ALTER FUNCTION onceward.find_access_key(text) OWNER TO " + role);
    attempts.add("ALTER FUNCTION onceward.find_access_key(text) RESET search_path");
    attempts.add("GRANT EXECUTE ON FUNCTION onceward.keep_event_of_failure() TO PUBLIC");
    attempts.add("CALL onceward.isolate_by_workspace('onceward.workspaces')");
    attempts.add("ALTER PUBLICATION onceward_outbox ADD TABLE onceward.stores");
    attempts.add("ALTER PUBLICATION onceward_outbox SET (publish = 'delete')");
    attempts.add("DROP PUBLICATION onceward_outbox");
    attempts.add("CREATE PUBLICATION mine FOR TABLE onceward.stores");
    attempts.add("ALTER TABLE onceward.ops_actions DISABLE TRIGGER ops_actions_are_kept");
    attempts.add("DELETE FROM onceward.ops_actions");
    attempts.add("UPDATE onceward.ops_actions SET operator = 'another'");
    attempts.add("TRUNCATE onceward.ops_actions");
    attempts.add("INSERT INTO onceward.ops_actions (acted_at) VALUES (now() - interval '1 day')");
    attempts.add("UPDATE onceward.relay_repairs SET repaired_by = 'another'");
    attempts.add("DELETE FROM onceward.flyway_schema_history");
    for (String table : tables()) {
      attempts.add("ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY");
      attempts.add("ALTER TABLE " + table + " NO FORCE ROW LEVEL SECURITY");
      attempts.add("CREATE POLICY mine ON " + table + " USING (true)");
      attempts.add("TRUNCATE " + table);
      attempts.add("DROP TABLE " + table);
    }
    attempts.add("DROP POLICY workspace_isolation ON onceward.stores");
    attempts.add("ALTER POLICY workspace_isolation ON onceward.stores TO onceward_owner");
    // What a migration made with its owner's rights must not be reached past its owner.
    attempts.add("SELECT onceward.outbox_is_audited(onceward.uuid_v7(), onceward.uuid_v7())");
    attempts.add("SELECT onceward.keep_event_of_failure()");
    assertRefused(role, attempts);
  }

  @Test
  void who_only_reads_writes_nowhere_in_no_workspace() throws SQLException {
    List<String> attempts = new ArrayList<>();
    for (String table : tables()) {
      attempts.add("INSERT INTO " + table + " DEFAULT VALUES");
      attempts.add("DELETE FROM " + table);
      for (String column : columns(table)) {
        attempts.add("UPDATE " + table + " SET " + column + " = DEFAULT");
      }
    }
    assertThat(attempts).hasSizeGreaterThan(200);
    for (String name :
        List.of(
            "relay_repair(NULL, NULL, NULL)",
            "due_operations(NULL, 1)",
            "find_access_key('x')",
            "find_hook(NULL)",
            "delete_expired_requests(1)",
            "delete_old_hook_receipts(1)",
            "delete_abandoned_uploads(1)",
            "note_access_key_use(NULL, NULL)",
            "outbox_create_partitions()",
            "outbox_drop_partition('x', '9 days')",
            "outbox_append('a.b', 'a', '1', '{}')")) {
      attempts.add("SELECT onceward." + name);
    }
    assertRefused("onceward_ops_read", attempts);
  }

  /** Secrets that are stored, even encrypted or hashed, and what users wrote to us. */
  @Test
  void who_only_reads_sees_no_secret_and_no_answer() throws SQLException {
    List<String> attempts = new ArrayList<>();
    attempts.add("SELECT secret_hash FROM onceward.access_keys");
    attempts.add("SELECT * FROM onceward.access_keys");
    attempts.add("SELECT k FROM onceward.access_keys k");
    attempts.add("SELECT credentials FROM onceward.stores");
    attempts.add("SELECT to_json(s) FROM onceward.stores s");
    attempts.add("SELECT secret FROM onceward.hooks");
    attempts.add("SELECT previous_secret FROM onceward.hooks");
    attempts.add("SELECT response_body FROM onceward.idempotency_requests");
    attempts.add("SELECT fingerprint FROM onceward.idempotency_requests");
    attempts.add("SELECT input FROM onceward.runs");
    attempts.add("SELECT comment FROM onceward.todos");
    attempts.add("SELECT 1 FROM onceward.stores WHERE credentials = ''");
    attempts.add("SELECT 1 FROM onceward.stores ORDER BY credentials");
    attempts.add("COPY onceward.hooks TO STDOUT");
    assertRefused("onceward_ops_read", attempts);
    attempts.removeIf(attempt -> attempt.contains("hooks") || attempt.contains("access_keys"));
    assertRefused("onceward_ops", attempts);
  }

  @Test
  void the_relay_reads_events_and_nothing_of_whoever_wrote_them() throws SQLException {
    List<String> attempts = new ArrayList<>();
    Set<String> its = Set.of("outbox_events", "relay_state", "parked_events", "relay_repairs");
    for (String table : tables()) {
      if (!its.contains(table.replace("onceward.", ""))) {
        attempts.add("SELECT count(*) FROM " + table);
      }
    }
    assertThat(attempts).hasSizeGreaterThan(20);
    attempts.add("INSERT INTO onceward.outbox_events DEFAULT VALUES");
    attempts.add("UPDATE onceward.outbox_events SET payload = '{}'");
    attempts.add("DELETE FROM onceward.outbox_events");
    attempts.add("DELETE FROM onceward.relay_state");
    attempts.add("INSERT INTO onceward.relay_repairs DEFAULT VALUES");
    attempts.add("SELECT onceward.find_access_key('x')");
    attempts.add("SELECT onceward.relay_repair('onceward', 'restored', 'x')");
    assertRefused("onceward_relay", attempts);
  }

  @Test
  void an_operator_rewrites_neither_events_nor_what_the_relay_has_proven() throws SQLException {
    assertRefused(
        "onceward_ops",
        List.of(
            "UPDATE onceward.outbox_events SET payload = '{}'",
            "DELETE FROM onceward.outbox_events",
            "UPDATE onceward.relay_state SET audited_snapshot = pg_current_snapshot()",
            "UPDATE onceward.relay_state SET kafka_positions = '{}'",
            "UPDATE onceward.parked_events SET record_value = ''",
            "DELETE FROM onceward.parked_events",
            "UPDATE onceward.operations SET result = '{}'",
            "DELETE FROM onceward.operations",
            "UPDATE onceward.dead_letter_acts SET acted_by = 'another'",
            "UPDATE onceward.replays SET replayed_by = 'another'",
            "UPDATE onceward.access_keys SET secret_hash = ''",
            "UPDATE onceward.stores SET credentials = ''",
            "SELECT onceward.task_append('k', 'a.b', 'a', '1', '{}')"));
  }

  /**
   * Documented, since PostgreSQL has no smaller right: with REPLICATION goes the whole log. Only
   * {@code pg_hba.conf} and the network bound it, so the relay's password is one to guard.
   */
  @Test
  void replication_is_more_than_the_events_and_no_other_role_has_it() throws SQLException {
    Set<String> replicating = new LinkedHashSet<>();
    for (String role : ALL_ROLES.split(" ")) {
      try (Connection connection = database.connect(role);
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT rolreplication FROM pg_roles WHERE rolname = current_user")) {
        row.next();
        if (row.getBoolean(1)) {
          replicating.add(role);
        }
      }
    }
    assertThat(replicating).containsExactly("onceward_relay");
  }

  private static void assertRefused(String role, List<String> attempts) throws SQLException {
    List<String> unexpected = new ArrayList<>();
    try (Connection connection = database.connect(role);
        Statement statement = connection.createStatement()) {
      for (String attempt : new LinkedHashSet<>(attempts)) {
        try {
          statement.execute(attempt);
          unexpected.add(attempt + " -> done");
          statement.execute("RESET ROLE; RESET SESSION AUTHORIZATION");
        } catch (SQLException refused) {
          if (!SqlStates.is(refused, SqlStates.INSUFFICIENT_PRIVILEGE)) {
            unexpected.add(attempt + " -> " + refused.getSQLState() + " " + refused.getMessage());
          }
        }
      }
    }
    assertThat(unexpected).as("what %s was not refused", role).isEmpty();
  }

  private static List<String> tables() throws SQLException {
    return texts(
        """
        SELECT c.oid::regclass::text FROM pg_class c
        WHERE c.relnamespace = 'onceward'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1
        """);
  }

  private static List<String> columns(String table) throws SQLException {
    return texts(
        "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = '%s'::regclass AND attnum > 0 AND attgenerated = ''"
            .formatted(table));
  }

  private static List<String> texts(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (row.next()) {
        texts.add(row.getString(1));
      }
      return texts;
    }
  }

  private static void superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
