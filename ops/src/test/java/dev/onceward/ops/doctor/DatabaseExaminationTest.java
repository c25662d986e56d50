package dev.onceward.ops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.TestInfrastructure;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DatabaseExaminationTest {

  private static final DoctorSettings SETTINGS =
      new DoctorSettings("doctor_test", "onceward.", Duration.ofDays(7));

  private MigratedDatabase database;

  @BeforeAll
  void prepare(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
  }

  @AfterAll
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void on_a_fresh_database_nothing_fails_for_a_reader() throws SQLException {
    try (Connection reader = database.connect("onceward_ops_read")) {
      Examined findings = examine(reader, Clock.systemUTC());
      assertThat(findings.findings())
          .filteredOn(finding -> finding.state() == CheckState.FAILED)
          .isEmpty();
      assertThat(findings.get("slot").state()).isEqualTo(CheckState.WARNING);
      assertThat(findings.get("publication").found()).contains("13 columns");
      assertThat(findings.findings()).hasSizeGreaterThan(20);
      assertThat(findings.findings())
          .allSatisfy(
              finding ->
                  assertThat(finding.remedy() == null).isEqualTo(finding.state() == CheckState.OK));
    }
  }

  static Stream<Arguments> breaks() {
    String today = "to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')";
    return Stream.of(
        broken(
            "publication",
            "more than inserts",
            "ALTER PUBLICATION onceward_outbox SET (publish = 'insert, update')"),
        broken(
            "publication",
            "names the partitions",
            "ALTER PUBLICATION onceward_outbox SET TABLE onceward.outbox_events; ALTER PUBLICATION onceward_outbox SET (publish_via_partition_root = false)"),
        broken(
            "publication",
            "leaves out inserts",
            "ALTER PUBLICATION onceward_outbox SET (publish = 'delete')"),
        broken(
            "publication",
            "created_at",
            "ALTER PUBLICATION onceward_outbox SET TABLE onceward.outbox_events"),
        broken(
            "publication",
            "traceparent",
            "ALTER PUBLICATION onceward_outbox SET TABLE onceward.outbox_events (id, workspace_id)"),
        broken(
            "publication",
            "row filter",
            "ALTER PUBLICATION onceward_outbox SET TABLE onceward.outbox_events WHERE (payload_version > 1)"),
        broken(
            "publication",
            "does not hold",
            "ALTER PUBLICATION onceward_outbox DROP TABLE onceward.outbox_events"),
        broken("publication", "does not exist", "DROP PUBLICATION onceward_outbox"),
        broken(
            "partitions",
            "today (UTC) has no partition",
            "DO $$ BEGIN EXECUTE 'ALTER TABLE onceward.outbox_events DETACH PARTITION onceward.outbox_events_' || "
                + today
                + "; END $$"),
        broken(
            "unlogged",
            "outbox_events_default",
            "DROP PUBLICATION onceward_outbox; ALTER TABLE onceward.outbox_events_default SET UNLOGGED"),
        broken("roles", "onceward_app has BYPASSRLS", "ALTER ROLE onceward_app BYPASSRLS"),
        broken("roles", "onceward_ops is a superuser", "ALTER ROLE onceward_ops SUPERUSER"),
        broken("roles", "onceward_definer may log in", "ALTER ROLE onceward_definer LOGIN"),
        broken(
            "roles",
            "onceward_relay does not exist",
            "ALTER ROLE onceward_relay RENAME TO onceward_other"),
        broken(
            "role-ownership",
            "onceward_app may act as onceward_owner",
            "GRANT onceward_owner TO onceward_app"),
        broken("relay-replication", "may not replicate", "ALTER ROLE onceward_relay NOREPLICATION"),
        broken(
            "row-security",
            "onceward.stores does not force",
            "ALTER TABLE onceward.stores NO FORCE ROW LEVEL SECURITY"),
        broken(
            "row-security",
            "onceward.stores has no row-level",
            "ALTER TABLE onceward.stores DISABLE ROW LEVEL SECURITY"),
        broken(
            "row-security",
            "lacks the policy",
            "DROP POLICY workspace_isolation ON onceward.stores"),
        broken(
            "workspace-policies",
            "open of onceward.stores",
            "CREATE POLICY open ON onceward.stores USING (true)"),
        broken(
            "workspace-policies",
            "open of onceward.stores",
            "CREATE POLICY open ON onceward.stores FOR INSERT TO onceward_app WITH CHECK (true)"),
        broken(
            "relay-policies", "no policy", "DROP POLICY relay_sees_all ON onceward.outbox_events"),
        broken(
            "relay-policies",
            "parked_events may not be read",
            "REVOKE SELECT ON onceward.parked_events FROM onceward_relay"),
        broken(
            "relay-policies",
            "restrictive",
            "CREATE POLICY less ON onceward.outbox_events AS RESTRICTIVE FOR SELECT USING (payload_version > 1)"),
        broken("schema", "up to 0", "UPDATE onceward.flyway_schema_history SET success = false"));
  }

  private static Arguments broken(String check, String found, String sql) {
    return Arguments.of(check, found, sql);
  }

  /** Broken in a transaction that is rolled back, since roles belong to the whole server. */
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("breaks")
  void what_is_broken_is_named_with_a_remedy(String check, String found, String sql)
      throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      superuser.setAutoCommit(false);
      statement.execute(sql);
      Finding finding = examine(superuser, Clock.systemUTC()).get(check);
      superuser.rollback();
      assertThat(finding.state()).isEqualTo(CheckState.FAILED);
      assertThat(finding.found()).contains(found);
      assertThat(finding.remedy()).isNotBlank();
    }
  }

  @Test
  void what_works_but_can_go_wrong_is_a_warning() throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      superuser.setAutoCommit(false);
      statement.execute(
          """
          DO $$ BEGIN EXECUTE 'ALTER TABLE onceward.outbox_events DETACH PARTITION onceward.outbox_events_'
            || to_char(now() AT TIME ZONE 'UTC' + interval '1 day', 'YYYYMMDD'); END $$;
          INSERT INTO onceward.outbox_events (id, workspace_id, event_type, aggregate_type, aggregate_id,
            resource_type, resource_id, payload)
          VALUES ('0162f2b0-0000-7000-8000-000000000000', gen_random_uuid(), 'a.b', 'a', '1', 'a', '1', '{}');
          UPDATE onceward.flyway_schema_history SET version = '999' WHERE version = '001';
          """);
      Examined findings = examine(superuser, Clock.systemUTC());
      superuser.rollback();
      assertThat(findings.get("partitions").found()).startsWith("1 days");
      assertThat(findings.get("default-partition").found()).startsWith("1 events");
      assertThat(findings.get("schema").found()).contains("999");
      assertThat(List.of("partitions", "default-partition", "schema"))
          .allSatisfy(id -> assertThat(findings.get(id).state()).isEqualTo(CheckState.WARNING));
    }
  }

  @Test
  void clocks_that_are_apart_are_told_by_how_much() throws SQLException {
    try (Connection reader = database.connect("onceward_ops_read")) {
      Finding warned =
          examine(reader, Clock.offset(Clock.systemUTC(), Duration.ofSeconds(-10))).get("clock");
      assertThat(warned.state()).isEqualTo(CheckState.WARNING);
      assertThat(warned.found()).contains("ahead of");
      Finding failed =
          examine(reader, Clock.offset(Clock.systemUTC(), Duration.ofHours(1))).get("clock");
      assertThat(failed.state()).isEqualTo(CheckState.FAILED);
      assertThat(failed.found()).contains("behind").contains("ms");
    }
  }

  @Test
  void a_slot_in_use_or_without_anybody_is_seen() throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute("SELECT pg_create_logical_replication_slot('doctor_test', 'pgoutput')");
      Finding idle = examine(superuser, Clock.systemUTC()).get("slot");
      assertThat(idle.state()).isEqualTo(CheckState.WARNING);
      assertThat(idle.found()).contains("nobody streams from it");
      statement.execute("SELECT pg_drop_replication_slot('doctor_test')");
    }
  }

  /**
   * What only a server of its own can show: a wrong wal_level, and nothing spared for the relay.
   */
  @Test
  void a_server_that_spares_nothing_for_the_relay_is_told_what_to_set() throws SQLException {
    PostgresOptions options =
        PostgresOptions.temporary()
            .withoutDurability()
            .withSetting("wal_level", "replica")
            .withSetting("max_replication_slots", "1")
            .withSetting("max_wal_senders", "0")
            .withSetting("max_slot_wal_keep_size", "64MB");
    try (PostgresServer server = TestInfrastructure.EMBEDDED.startPostgres(options);
        MigratedDatabase own = MigratedDatabase.create(server);
        Connection superuser = own.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute("SELECT pg_create_physical_replication_slot('standby')");
      Examined findings = examine(superuser, Clock.systemUTC());
      assertThat(List.of("wal-level", "replication-slots", "wal-senders"))
          .allSatisfy(id -> assertThat(findings.get(id).state()).isEqualTo(CheckState.FAILED));
      assertThat(findings.get("wal-level").found()).contains("replica");
      assertThat(findings.get("slot-keep-limit").found()).contains("64MB");
      assertThat(findings.get("failover").state()).isEqualTo(CheckState.WARNING);
      statement.execute("SELECT pg_drop_replication_slot('standby')");
    }
  }

  @Test
  void without_the_schema_its_checks_ask_for_the_migrations_and_the_others_run()
      throws SQLException {
    try (Connection elsewhere = database.server().connect("postgres")) {
      Examined findings = examine(elsewhere, Clock.systemUTC());
      assertThat(findings.get("wal-level").state()).isEqualTo(CheckState.OK);
      assertThat(findings.get("schema").state()).isEqualTo(CheckState.FAILED);
      assertThat(findings.get("schema").remedy()).contains("Run the migrations");
    }
  }

  private static Examined examine(Connection connection, Clock clock) {
    return new Examined(new DatabaseExamination(SETTINGS, clock).with(connection));
  }
}
