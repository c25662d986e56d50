package dev.onceward.relay.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.process.Secret;
import dev.onceward.relay.slot.ReplicationSlot.Readiness;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class ReplicationSlotTest {
  private MigratedDatabase database;
  private RelaySession session;
  private String name;
  private ReplicationSlot slot;

  @BeforeEach
  void open(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    session = session(database);
    name = "slot_" + database.name();
    slot = new ReplicationSlot(name);
  }

  @AfterEach
  void drop() throws SQLException {
    session.close();
    database.close();
  }

  @Test
  void a_missing_slot_is_made_once() throws Exception {
    assertThat(ensure(SlotLoss.STOP)).isEqualTo(Readiness.MADE);
    assertThat(ensure(SlotLoss.REPAIR)).isEqualTo(Readiness.PRESENT);
    assertThat(status().lost()).isFalse();
    assertThat(status().lostBecause()).isEmpty();
    assertThat(status().walStatus()).isEqualTo("reserved");
    assertThat(status().safeWalBytes()).isEmpty(); // no limit is set
  }

  @Test
  @Tag("S18")
  void a_lost_slot_is_repaired_or_stops_the_relay() throws Exception {
    try (PostgresServer small =
            PostgresServer.start(
                PostgresOptions.temporary()
                    .withoutDurability()
                    .withSetting("max_slot_wal_keep_size", "16MB")
                    .withSetting("max_wal_size", "32MB")
                    .withSetting("min_wal_size", "32MB"));
        MigratedDatabase other = MigratedDatabase.create(small)) {
      ReplicationSlot lost = new ReplicationSlot("onceward");
      try (RelaySession relay = session(other)) {
        assertThat(lost.ensure(relay, mayTake -> {}, SlotLoss.REPAIR)).isEqualTo(Readiness.MADE);
        assertThat(lost.status(relay).orElseThrow().safeWalBytes()).isPresent();
        for (int segment = 0; segment < 4; segment++) {
          superuser(other, "SELECT pg_logical_emit_message(false, 'other', 'x'), pg_switch_wal()");
        }
        superuser(other, "CHECKPOINT");
        SlotStatus seen = lost.status(relay).orElseThrow();
        assertThat(seen.lost()).isTrue();
        assertThat(seen.walStatus()).isEqualTo("lost");

        assertThatThrownBy(() -> lost.ensure(relay, mayTake -> {}, SlotLoss.STOP))
            .isInstanceOfSatisfying(
                NotPreparedException.class,
                refused -> {
                  assertThat(refused).hasMessageContaining("\"onceward\" is lost");
                  assertThat(refused.remedy()).contains("slot-loss=repair", "operations.md");
                });
        assertThat(lost.status(relay).orElseThrow().lost()).isTrue();

        assertThat(lost.ensure(relay, mayTake -> {}, SlotLoss.REPAIR)).isEqualTo(Readiness.REMADE);
        assertThat(lost.status(relay).orElseThrow().lost()).isFalse();
        assertThat(lost.ensure(relay, mayTake -> {}, SlotLoss.REPAIR)).isEqualTo(Readiness.PRESENT);
      }
    }
  }

  @Test
  void a_slot_is_moved_forward_to_what_is_delivered_and_never_back() throws Exception {
    ensure(SlotLoss.STOP);
    long delivered = lsn("pg_logical_emit_message(false, 'other', 'x')");
    superuser(database, "SELECT pg_switch_wal()"); // it is flushed now
    long before = status().confirmedLsn();
    assertThat(before).isLessThan(delivered);

    assertThat(slot.advanceTo(session, text(delivered), mayTake -> {})).isTrue();
    assertThat(status().confirmedLsn()).isGreaterThanOrEqualTo(delivered);
    assertThat(slot.advanceTo(session, text(delivered), mayTake -> {})).isFalse();
    assertThat(slot.advanceTo(session, text(before), mayTake -> {})).isFalse();
    assertThat(status().confirmedLsn()).isGreaterThanOrEqualTo(delivered);
  }

  @Test
  void a_position_ahead_of_the_servers_log_is_refused_with_the_repair() throws Exception {
    ensure(SlotLoss.STOP);
    long before = status().confirmedLsn();
    assertThatThrownBy(
            () ->
                slot.advanceTo(
                    session, text(lsn("pg_current_wal_lsn()") + (1L << 40)), mayTake -> {}))
        .isInstanceOfSatisfying(
            NotPreparedException.class,
            refused -> assertThat(refused.remedy()).contains("repair --restored"));
    assertThat(status().confirmedLsn()).isEqualTo(before);
  }

  @Test
  @Tag("S15")
  void a_slot_older_than_the_publication_is_noticed_and_remade() throws Exception {
    superuser(database, "DROP PUBLICATION onceward_outbox");
    ensure(SlotLoss.STOP);
    superuser(
        database,
        "CREATE PUBLICATION onceward_outbox FOR TABLE onceward.outbox_events WITH (publish = 'insert')");
    SQLException unknown = new SQLException("as the server says it", "42704");
    assertThat(slot.isOlderThanPublication(session, unknown)).isTrue();
    assertThat(slot.isOlderThanPublication(session, new IllegalStateException(unknown))).isTrue();
    assertThat(slot.isOlderThanPublication(session, new SQLException("other", "55006"))).isFalse();

    long before = status().confirmedLsn();
    assertThat(slot.remake(session, mayTake -> {})).isEqualTo(Readiness.REMADE);
    assertThat(status().confirmedLsn()).isGreaterThan(before);

    superuser(database, "DROP PUBLICATION onceward_outbox");
    assertThat(slot.isOlderThanPublication(session, unknown)).isFalse();
  }

  @Test
  void a_slot_of_another_kind_is_neither_used_nor_dropped() throws Exception {
    superuser(database, "SELECT pg_create_physical_replication_slot('" + name + "')");
    assertThatThrownBy(() -> ensure(SlotLoss.REPAIR)).hasMessageContaining("is not the relay's");
    assertThatThrownBy(() -> slot.remake(session, mayTake -> {}))
        .hasMessageContaining("is not the relay's");
    assertThat(slot.status(session)).isPresent();
  }

  @Test
  @Tag("S06")
  void a_process_still_on_the_slot_is_ended_and_no_other() throws Exception {
    ExecutorService background = Executors.newSingleThreadExecutor();
    try (Connection writer = database.superuser();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("SELECT pg_current_xact_id()");
      // Whoever makes a slot is on it, and waits for the open transaction.
      Future<?> holder = background.submit(this::makeSlot);
      int pid =
          await()
              .atMost(Duration.ofSeconds(20))
              .until(
                  () -> slot.status(session).map(SlotStatus::activePid).orElse(0),
                  active -> active != 0);
      assertThat(slot.terminateHolder(session, pid + 1)).isFalse();
      assertThat(status().activePid()).isEqualTo(pid);

      assertThat(slot.terminateHolder(session, pid)).isTrue();
      assertThatThrownBy(holder::get)
          .hasRootCauseInstanceOf(SQLException.class)
          .hasMessageContaining("terminating connection");
      assertThat(slot.status(session)).isEmpty();
      assertThat(slot.terminateHolder(session, pid)).isFalse();
      writer.rollback();
    } finally {
      background.shutdown();
    }
  }

  private boolean makeSlot() throws SQLException {
    try (Connection connection = database.connect("onceward_relay");
        Statement statement = connection.createStatement()) {
      return statement.execute(
          "SELECT pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
    }
  }

  @Test
  @Tag("S16")
  void the_age_of_a_writing_transaction_shows_until_it_ends() throws Exception {
    ensure(SlotLoss.STOP);
    try (Connection writer = database.superuser();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("SELECT pg_current_xact_id()");
      status();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> status().oldestTransaction().compareTo(Duration.ofMillis(1500)) > 0);
      writer.rollback();
    }
    // Other tests' transactions on the shared server are short.
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> status().oldestTransaction().compareTo(Duration.ofMillis(1500)) < 0);
  }

  @Test
  void a_role_that_does_not_see_every_workspace_is_refused_with_the_remedy() throws Exception {
    Preflight.check(session);
    superuser(database, "DROP POLICY relay_sees_all ON onceward.outbox_events");
    assertRefused("no policy lets it see every workspace", "CREATE POLICY relay_sees_all");

    superuser(
        database,
        "CREATE POLICY relay_sees_all ON onceward.outbox_events FOR SELECT TO onceward_relay USING (event_type <> 'x')");
    assertRefused("no policy lets it see every workspace", "CREATE POLICY relay_sees_all");

    superuser(database, "ALTER POLICY relay_sees_all ON onceward.outbox_events USING (true)");
    Preflight.check(session);

    superuser(
        database,
        "CREATE POLICY hide ON onceward.outbox_events AS RESTRICTIVE FOR SELECT TO PUBLIC USING (event_type <> 'x')");
    assertRefused("restrictive policy hide", "Drop that policy");
    superuser(database, "DROP POLICY hide ON onceward.outbox_events");

    superuser(database, "REVOKE SELECT ON onceward.outbox_events FROM onceward_relay");
    assertRefused("may not read", "GRANT SELECT");
  }

  @Test
  void what_is_old_and_audited_goes_and_one_held_partition_holds_up_the_rest_only_for_now()
      throws Exception {
    superuser(database, "SELECT count(*) FROM onceward.outbox_create_partitions(-6, -4)");
    PartitionRetention.Outcome outcome = PartitionRetention.enforce(session, Duration.ofDays(3));
    assertThat(outcome.left()).hasSize(3).containsValue("not_audited");
    assertThat(outcome.dropped()).isEmpty();

    superuser(
        database,
        "INSERT INTO onceward.relay_state (relay, audited_snapshot) VALUES ('x', pg_current_snapshot())");
    try (Connection holder = database.superuser();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.outbox_events IN ACCESS SHARE MODE");
      outcome = PartitionRetention.enforce(session, Duration.ofDays(3));
      assertThat(outcome.left()).hasSize(3);
      assertThat(outcome.left().values()).containsOnly("locked");
      holder.rollback();
    }
    outcome = PartitionRetention.enforce(session, Duration.ofDays(3));
    assertThat(outcome.dropped()).hasSize(3).isSorted();
    assertThat(outcome.left()).isEmpty();
    assertThat(outcome.rowsDeleted()).isZero();
  }

  private void assertRefused(String message, String remedy) {
    assertThatThrownBy(() -> Preflight.check(session))
        .isInstanceOfSatisfying(
            NotPreparedException.class,
            refused -> {
              assertThat(refused).hasMessageContaining(message);
              assertThat(refused).hasMessageContaining("onceward_relay");
              assertThat(refused.remedy()).contains(remedy);
            });
  }

  private Readiness ensure(SlotLoss slotLoss) throws SQLException, NotPreparedException {
    return slot.ensure(session, mayTake -> {}, slotLoss);
  }

  private SlotStatus status() throws SQLException {
    return slot.status(session).orElseThrow();
  }

  private static String text(long lsn) {
    return Long.toHexString(lsn >>> 32) + "/" + Long.toHexString(lsn & 0xFFFF_FFFFL);
  }

  private long lsn(String expression) {
    return session.callUnchecked(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet row =
                  statement.executeQuery("SELECT (" + expression + " - '0/0'::pg_lsn)::bigint")) {
            row.next();
            return row.getLong(1);
          }
        });
  }

  private static RelaySession session(MigratedDatabase database) throws Exception {
    return RelaySession.open(
        database.url(), "onceward_relay", new Secret(MigratedDatabase.PASSWORD));
  }

  private static void superuser(MigratedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
