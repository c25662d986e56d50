package dev.onceward.db.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.SqlStates;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class RetentionTest {
  /** 200 ms by design; the machine may be busy. Behind the open writer it would be for ever. */
  private static final Duration MOMENT = Duration.ofSeconds(2);

  private static final String FOUR_DAYS_AGO = partition(4);
  private static final String FIVE_DAYS_AGO = partition(5);

  private MigratedDatabase database;
  private Tenant one;
  private Tenant other;

  @BeforeEach
  void events_of_two_workspaces_five_days_ago(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    one = database.newTenant();
    other = database.newTenant();
    relay("SELECT count(*) FROM onceward.outbox_create_partitions(-5, -4)");
    append(one, 5);
    append(other, 5);
    superuser("INSERT INTO onceward.relay_state (relay) VALUES ('onceward')");
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void a_partition_goes_when_every_row_of_every_workspace_is_audited() throws SQLException {
    assertThat(old("3 days")).containsExactly(FIVE_DAYS_AGO, FOUR_DAYS_AGO);
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("not_audited"); // nothing was audited yet

    audit();
    append(other, 5);
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("not_audited");

    audit();
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("dropped");
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("absent");
    assertThat(superuser("SELECT to_regclass('onceward." + FIVE_DAYS_AGO + "')")).isNull();
    assertThat(superuser("SELECT count(*) FROM onceward.outbox_events")).isEqualTo("0");
    assertThat(old("3 days")).containsExactly(FOUR_DAYS_AGO);
  }

  @Test
  void a_day_within_the_retention_is_neither_listed_nor_dropped() throws SQLException {
    audit();
    assertThat(old("5 days")).isEmpty();
    assertThat(old("4 days")).containsExactly(FIVE_DAYS_AGO);
    assertThat(relay("SELECT onceward.outbox_drop_partition('" + FIVE_DAYS_AGO + "', '5 days')"))
        .isEqualTo("absent");
    for (String name : List.of(partition(0), "outbox_events_default", "operations", "")) {
      assertThat(drop(name)).as(name).isEqualTo("absent");
    }
    for (String shortest : List.of("'23 hours'", "'-1 day'", "NULL")) {
      assertThatThrownBy(
              () -> relay("SELECT onceward.outbox_drop_partition('x', " + shortest + ")"))
          .hasMessageContaining("no retention");
      assertThatThrownBy(
              () -> relay("SELECT onceward.outbox_delete_old_default_rows(" + shortest + ", 10)"))
          .hasMessageContaining("no retention");
    }
  }

  @Test
  void every_relay_must_have_audited_and_none_may_be_ahead_of_the_server() throws SQLException {
    audit();
    superuser("INSERT INTO onceward.relay_state (relay) VALUES ('another')");
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("not_audited");

    superuser("UPDATE onceward.relay_state SET audited_snapshot = '900000000:900000000:'");
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("not_audited");

    superuser("DELETE FROM onceward.relay_state");
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("not_audited");
  }

  @Test
  void a_transaction_that_ran_while_others_were_audited_keeps_its_partition() throws SQLException {
    try (Connection writer = openWriter()) {
      append(writer, 5);
      append(one, 0);
      audit(); // sees the later transaction, lists the open one as running
      writer.commit();
    }
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("not_audited");
    audit();
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("dropped");
  }

  @Test
  @Tag("S16")
  void a_long_open_writer_makes_it_wait_for_another_time_and_delays_nobody() throws Exception {
    audit();
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService background = Executors.newSingleThreadExecutor();
    try (Connection writer = openWriter()) {
      append(writer, 0);
      Future<Duration> longest = background.submit(() -> longestCreate(over));
      for (int attempt = 0; attempt < 5; attempt++) {
        long began = System.nanoTime();
        assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("locked");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(MOMENT);
      }
      over.set(true);
      assertThat(longest.get()).isLessThan(MOMENT);
      append(writer, 0);
      writer.commit();
    } finally {
      over.set(true);
      background.shutdown();
    }
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("dropped");
  }

  @Test
  void whoever_reads_the_partition_keeps_it_for_the_moment() throws SQLException {
    audit();
    try (Connection reader = database.superuser();
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward." + FIVE_DAYS_AGO + " IN ACCESS SHARE MODE");
      assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("locked");
      reader.rollback();
    }
    assertThat(drop(FIVE_DAYS_AGO)).isEqualTo("dropped");
  }

  @Test
  void a_snapshot_from_before_the_lock_is_refused() throws SQLException {
    audit();
    try (Connection relay = database.connect("onceward_relay");
        Statement statement = relay.createStatement()) {
      relay.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      assertThatThrownBy(
              () ->
                  statement.execute(
                      "SELECT onceward.outbox_drop_partition('%s', '3 days')"
                          .formatted(FIVE_DAYS_AGO)))
          .hasMessageContaining("snapshot of its own");
    }
  }

  @Test
  void old_rows_of_default_are_deleted_in_batches_once_audited() throws SQLException {
    for (Tenant tenant : List.of(one, other)) {
      append(tenant, 30); // no partition: before the first
      append(tenant, -300);
      append(tenant, 40);
    }
    superuser(
        "UPDATE onceward.outbox_events_default SET created_at = now() - interval '8 days'"
            + " WHERE id <> (SELECT max(id::text)::uuid FROM onceward.outbox_events_default)");
    assertThat(deleteFromDefault(100)).isEqualTo("0");

    // An update by hand leaves the writer's transaction in the row.
    audit();
    append(one, 50);
    superuser(
        "UPDATE onceward.outbox_events_default SET created_at = now() - interval '8 days'"
            + " WHERE id < '"
            + idDaysAgo(45)
            + "'");
    assertThat(deleteFromDefault(2)).isEqualTo("2");
    assertThat(deleteFromDefault(100)).isEqualTo("3");
    assertThat(deleteFromDefault(100)).isEqualTo("0"); // one is young, one is not audited
    assertThat(superuser("SELECT count(*) FROM onceward.outbox_events_default")).isEqualTo("2");

    audit();
    assertThat(deleteFromDefault(100)).isEqualTo("1");
    assertThat(superuser("SELECT count(*) FROM onceward.outbox_events")).isEqualTo("3");
  }

  @Test
  void nobody_but_the_relay_may_do_it() {
    for (String role : List.of("onceward_app", "onceward_ops", "onceward_ops_read")) {
      for (String call :
          List.of(
              "outbox_old_partitions('7 days')",
              "outbox_drop_partition('x', '7 days')",
              "outbox_delete_old_default_rows('7 days', 1)",
              "outbox_is_audited(NULL, NULL)")) {
        assertThatThrownBy(() -> first(role, "SELECT onceward." + call))
            .as("%s calls %s", role, call)
            .isInstanceOfSatisfying(
                SQLException.class,
                refused ->
                    assertThat(refused.getSQLState()).isEqualTo(SqlStates.INSUFFICIENT_PRIVILEGE));
      }
    }
  }

  private Duration longestCreate(AtomicBoolean over) throws SQLException {
    long longest = 0;
    while (!over.get()) {
      long began = System.nanoTime();
      append(one, 0);
      longest = Math.max(longest, System.nanoTime() - began);
    }
    return Duration.ofNanos(longest);
  }

  private Connection openWriter() throws SQLException {
    Connection writer = database.connect("onceward_app");
    writer.setAutoCommit(false);
    WorkspaceContext.set(writer, other.workspaceId());
    return writer;
  }

  private void append(Tenant tenant, int daysAgo) throws SQLException {
    database.app().runInWorkspace(tenant.workspaceId(), connection -> append(connection, daysAgo));
  }

  private static void append(Connection connection, int daysAgo) throws SQLException {
    OutboxWriter.append(
        connection,
        new NewEvent(
            idDaysAgo(daysAgo), "a.b", 1, "a", "1", "a", "1", null, null, null, null, "{}"));
  }

  /** A random id of noon of that day. */
  private static UUID idDaysAgo(int days) {
    long milliseconds =
        LocalDate.now(ZoneOffset.UTC)
            .minusDays(days)
            .atTime(12, 0)
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
    UUID random = UUID.randomUUID();
    return new UUID(
        milliseconds << 16 | 0x7000 | (random.getMostSignificantBits() & 0x0fff),
        random.getLeastSignificantBits());
  }

  private static String partition(int daysAgo) {
    return "outbox_events_"
        + LocalDate.now(ZoneOffset.UTC)
            .minusDays(daysAgo)
            .format(DateTimeFormatter.ofPattern("yyyyMMdd", java.util.Locale.ROOT));
  }

  private void audit() throws SQLException {
    superuser("UPDATE onceward.relay_state SET audited_snapshot = pg_current_snapshot()");
  }

  private String drop(String partition) throws SQLException {
    return relay("SELECT onceward.outbox_drop_partition('" + partition + "', '3 days')");
  }

  private String deleteFromDefault(int atMost) throws SQLException {
    return relay("SELECT onceward.outbox_delete_old_default_rows('7 days', " + atMost + ")");
  }

  private List<String> old(String retention) throws SQLException {
    try (Connection connection = database.connect("onceward_relay");
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT partition_name FROM onceward.outbox_old_partitions('" + retention + "')")) {
      List<String> names = new ArrayList<>();
      while (row.next()) {
        names.add(row.getString(1));
      }
      return names;
    }
  }

  private String relay(String sql) throws SQLException {
    return first("onceward_relay", sql);
  }

  private String superuser(String sql) throws SQLException {
    return first("superuser", sql);
  }

  private String first(String role, String sql) throws SQLException {
    try (Connection connection =
            role.equals("superuser") ? database.superuser() : database.connect(role);
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
