package dev.onceward.db.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.SqlStates;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class RelayRepairTest {
  private MigratedDatabase database;

  @BeforeEach
  void a_relay_that_has_delivered(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    superuser(
        """
        INSERT INTO onceward.relay_state (relay, system_identifier, delivered_snapshot, delivered_lsn, delivered_at,
          audited_snapshot, audited_at, kafka_positions, topic_partitions)
        VALUES ('onceward', 42, pg_current_snapshot(), '1/1', now(), pg_current_snapshot(), now(), '{}', '{"t": 6}')
        """);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void an_upgrade_takes_the_new_identifier_and_keeps_what_was_audited() throws Exception {
    RelayRepair.Done done = repair(RelayRepair.Kind.UPGRADED);
    assertThat(done.oldSystemIdentifier()).isEqualTo(42);
    assertThat(done.newSystemIdentifier())
        .isEqualTo(Long.parseLong(superuser("SELECT system_identifier FROM pg_control_system()")));
    assertThat(
            superuser(
                """
                SELECT (system_identifier = (SELECT c.system_identifier FROM pg_control_system() c))
                  || ' ' || num_nonnulls(audited_snapshot, audited_at, kafka_positions, delivered_snapshot)
                  || ' ' || num_nonnulls(delivered_lsn) FROM onceward.relay_state
                """))
        .isEqualTo("true 4 0");
    assertRecorded("upgraded");
  }

  @Test
  void a_restore_forgets_everything_but_the_pinned_partitions() throws Exception {
    RelayRepair.Done done = repair(RelayRepair.Kind.RESTORED);
    assertThat(done.oldAuditedSnapshot()).isNotNull();
    assertThat(done.renumberedRows()).isZero();
    assertThat(
            superuser(
                """
                SELECT num_nonnulls(delivered_snapshot, delivered_lsn, delivered_at, audited_snapshot, audited_at,
                  kafka_positions) || ' ' || topic_partitions FROM onceward.relay_state
                """))
        .isEqualTo("0 {\"t\": 6}");
    assertRecorded("restored");
  }

  @Test
  void a_restore_that_poses_as_an_upgrade_is_refused() throws Exception {
    superuser("UPDATE onceward.relay_state SET audited_snapshot = '900000000:900000000:'");
    assertThatThrownBy(() -> repair(RelayRepair.Kind.UPGRADED))
        .isInstanceOfSatisfying(
            RelayRefusedException.class,
            refused -> assertThat(refused.remedy()).contains("--restored"));
    assertThat(superuser("SELECT count(*) FROM onceward.relay_repairs")).isEqualTo("0");
    repair(RelayRepair.Kind.RESTORED);
  }

  @Test
  void rows_with_numbers_of_another_servers_transactions_come_into_sight() throws Exception {
    for (Tenant tenant : List.of(database.newTenant(), database.newTenant())) {
      database
          .app()
          .runInWorkspace(
              tenant.workspaceId(),
              connection -> {
                OutboxWriter.append(connection, NewEvent.of("a.b", "a", "1", "{}"));
                OutboxWriter.append(connection, NewEvent.of("a.b", "a", "2", "{}"));
              });
    }
    superuser("UPDATE onceward.outbox_events SET xid = '99000000000' WHERE aggregate_id = '1'");
    String invisible =
        "SELECT count(*) FROM onceward.outbox_events WHERE NOT pg_visible_in_snapshot(xid, pg_current_snapshot())";
    assertThat(superuser(invisible)).isEqualTo("2");
    String untouched =
        "SELECT string_agg(xid::text, ',' ORDER BY id) FROM onceward.outbox_events WHERE aggregate_id = '2'";
    String before = superuser(untouched);

    assertThat(repair(RelayRepair.Kind.RESTORED).renumberedRows()).isEqualTo(2);

    assertThat(superuser(invisible)).isEqualTo("0");
    assertThat(superuser(untouched)).isEqualTo(before);
    assertThat(superuser("SELECT renumbered_rows FROM onceward.relay_repairs")).isEqualTo("2");
  }

  @Test
  void while_a_relay_leads_nothing_is_repaired() throws Exception {
    try (Connection leader = database.connect("onceward_relay");
        Statement statement = leader.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(hashtextextended('onceward relay onceward', 0))");
      try (Connection ops = database.connect("onceward_ops_read")) {
        assertThat(RelayControl.look(ops, "onceward").leaderPid()).isEqualTo(pid(leader));
      }
      assertThatThrownBy(() -> repair(RelayRepair.Kind.RESTORED))
          .isInstanceOf(RelayRefusedException.class)
          .hasMessageContaining("A relay leads");
      assertThat(superuser("SELECT system_identifier FROM onceward.relay_state")).isEqualTo("42");
    }
    try (Connection ops = database.connect("onceward_ops_read")) {
      assertThat(RelayControl.look(ops, "onceward").leaderPid()).isNull();
    }
    repair(RelayRepair.Kind.RESTORED);
  }

  @Test
  void an_unknown_relay_is_refused_with_the_known_ones() throws Exception {
    try (Connection ops = database.connect("onceward_ops")) {
      assertThatThrownBy(() -> RelayRepair.run(ops, "other", RelayRepair.Kind.RESTORED, "somebody"))
          .isInstanceOfSatisfying(
              RelayRefusedException.class,
              refused -> {
                assertThat(refused).hasMessageContaining("\"other\"");
                assertThat(refused.remedy()).contains("[onceward]");
              });
      assertThatThrownBy(() -> RelayControl.pause(ops, "other", "somebody"))
          .isInstanceOf(RelayRefusedException.class);
      assertThatThrownBy(() -> RelayControl.resume(ops, "other"))
          .isInstanceOf(RelayRefusedException.class);
      assertThat(RelayControl.isPaused(ops, "other")).isFalse();
    }
  }

  @Test
  void a_relay_is_paused_once_and_resumed_once() throws Exception {
    try (Connection ops = database.connect("onceward_ops");
        Connection relay = database.connect("onceward_relay")) {
      assertThat(RelayControl.pause(ops, "onceward", "one")).isTrue();
      assertThat(RelayControl.pause(ops, "onceward", "other")).isFalse();
      assertThat(RelayControl.look(ops, "onceward").pausedBy()).isEqualTo("one");
      assertThat(RelayControl.isPaused(relay, "onceward")).isTrue();
      assertThat(RelayControl.resume(ops, "onceward")).isTrue();
      assertThat(RelayControl.resume(ops, "onceward")).isFalse();
      assertThat(RelayControl.isPaused(relay, "onceward")).isFalse();
    }
  }

  @Test
  void operators_change_nothing_of_a_relay_but_by_these_ways() {
    List<String> attempts =
        List.of(
            "UPDATE onceward.relay_state SET audited_snapshot = pg_current_snapshot()",
            "UPDATE onceward.relay_state SET delivered_lsn = '0/1'",
            "UPDATE onceward.relay_state SET system_identifier = 1",
            "DELETE FROM onceward.relay_state",
            "UPDATE onceward.outbox_events SET xid = '3'",
            "INSERT INTO onceward.relay_repairs (relay, kind, repaired_by, new_system_identifier, renumbered_rows)"
                + " VALUES ('a', 'restored', 'b', 1, 0)",
            "DELETE FROM onceward.relay_repairs");
    for (String role : List.of("onceward_ops", "onceward_ops_read", "onceward_app")) {
      for (String attempt : attempts) {
        assertPermissionDenied(role, attempt);
      }
    }
    for (String role : List.of("onceward_ops_read", "onceward_app", "onceward_relay")) {
      assertPermissionDenied(
          role, "SELECT * FROM onceward.relay_repair('onceward', 'restored', 'x')");
    }
    assertPermissionDenied("onceward_app", "UPDATE onceward.relay_state SET paused_at = now()");
  }

  private void assertPermissionDenied(String role, String sql) {
    assertThatThrownBy(
            () -> {
              try (Connection connection = database.connect(role);
                  Statement statement = connection.createStatement()) {
                statement.execute(sql);
              }
            })
        .as("%s: %s", role, sql)
        .isInstanceOfSatisfying(
            SQLException.class,
            refused ->
                assertThat(refused.getSQLState()).isEqualTo(SqlStates.INSUFFICIENT_PRIVILEGE));
  }

  private void assertRecorded(String kind) throws SQLException {
    assertThat(
            superuser(
                """
                SELECT relay || ' ' || kind || ' ' || repaired_by || ' ' || old_system_identifier || ' '
                  || num_nonnulls(repaired_at, new_system_identifier, old_delivered_snapshot, old_audited_snapshot)
                FROM onceward.relay_repairs
                """))
        .isEqualTo("onceward " + kind + " somebody 42 4");
  }

  private RelayRepair.Done repair(RelayRepair.Kind kind) throws Exception {
    try (Connection ops = database.connect("onceward_ops")) {
      return RelayRepair.run(ops, "onceward", kind, "somebody");
    }
  }

  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  private String superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
