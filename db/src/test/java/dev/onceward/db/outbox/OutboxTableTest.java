package dev.onceward.db.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.SqlStates;
import dev.onceward.db.UuidV7;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(InfrastructureExtension.class)
class OutboxTableTest {

  private MigratedDatabase database;
  private Tenant tenant;

  @BeforeEach
  void tenant(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    tenant = database.newTenant();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "\"text\"",
        " 0 ",
        "{\"a\":[[],[{\"b\":1}]]}",
        "{\"a\":1e400,\"\":1.10, \"\":2}",
        "{\"z\":\"\\u0000 😀\"}"
      })
  void the_payload_is_kept_byte_for_byte(String payload) throws SQLException {
    append(NewEvent.of("thing.made", "thing", "1", payload));
    assertThat(column("payload::text")).isEqualTo(payload);
  }

  @Test
  void an_id_made_by_the_database_is_version_7_and_tells_the_time() throws SQLException {
    long before = System.currentTimeMillis();
    UUID id =
        database
            .app()
            .inWorkspace(
                tenant.workspaceId(),
                connection -> {
                  try (Statement statement = connection.createStatement();
                      ResultSet row =
                          statement.executeQuery(
                              "SELECT onceward.outbox_append('a.b', 'a', '1', '{}')")) {
                    row.next();
                    return row.getObject(1, UUID.class);
                  }
                });
    assertThat(UuidV7.time(id))
        .isBetween(
            Instant.ofEpochMilli(before - 1), Instant.ofEpochMilli(System.currentTimeMillis() + 1));
    assertThat(column("resource_type || ' ' || resource_id || ' ' || payload_version"))
        .isEqualTo("a 1 1");
    assertThat(column("tableoid::regclass::text")).matches("onceward.outbox_events_\\d{8}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "outbox_events_event_type_form|Dont care|thing|1|1",
        "outbox_events_event_type_form|''|thing|1|1",
        "outbox_events_event_type_form|a/b|thing|1|1",
        "outbox_events_event_type_form|thing.Made|thing|1|1",
        "outbox_events_aggregate_type_form|a.b|thing.x|1|1",
        "outbox_events_aggregate_type_form|a.b|Thing|1|1",
        "outbox_events_aggregate_id_length|a.b|thing|''|1",
        "outbox_events_payload_version_positive|a.b|thing|1|0"
      })
  @Tag("S26")
  void odd_rows_are_refused_by_a_named_check(
      String constraint, String type, String aggregate, String id, int version) {
    assertRefused(
        constraint,
        NewEvent.of(type, aggregate, id, "{}")
            .withPayloadVersion(version)
            .withResource("thing", "1"));
  }

  @Test
  void a_payload_over_the_limit_and_an_id_of_another_version_are_refused() throws SQLException {
    String atLimit = "\"" + "x".repeat(262_142) + "\"";
    append(NewEvent.of("a.b", "a", "1", atLimit));
    assertRefused("outbox_events_payload_size", NewEvent.of("a.b", "a", "1", atLimit + " "));
    NewEvent event = NewEvent.of("a.b", "a", "1", "{}");
    assertRefused(
        "outbox_events_id_is_version_7",
        new NewEvent(
            UUID.fromString("12345678-1234-4234-8234-123456789abc"),
            event.eventType(),
            1,
            "a",
            "1",
            "a",
            "1",
            null,
            null,
            null,
            null,
            "{}"));
    assertRefused("outbox_events_traceparent_form", event.withTrace(null, null, "00-XYZ"));
    assertRefused("outbox_events_request_id_form", event.withTrace("with blank", null, null));
    assertRefused(
        "outbox_events_id_before_year_10000",
        new NewEvent(
            UUID.fromString("f0000000-0000-7000-8000-000000000000"),
            "a.b",
            1,
            "a",
            "1",
            "a",
            "1",
            null,
            null,
            null,
            null,
            "{}"));
  }

  @Test
  void an_event_needs_a_workspace_and_the_error_says_how_to_set_it() {
    assertThatThrownBy(
            () ->
                database
                    .app()
                    .inTransaction(
                        connection -> {
                          OutboxWriter.append(connection, NewEvent.of("a.b", "a", "1", "{}"));
                          return true;
                        }))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("app.workspace_id is not set");
  }

  @Test
  void rows_without_a_partition_land_in_default_and_their_day_stays_there() throws SQLException {
    UUID inTenDays = UUID.fromString(uuidAt(Instant.now().plusSeconds(10 * 86_400)));
    append(new NewEvent(inTenDays, "a.b", 1, "a", "1", "a", "1", null, null, null, null, "{}"));
    assertThat(column("tableoid::regclass::text")).isEqualTo("onceward.outbox_events_default");
    assertThat(partitionOutcomes(10, 11)).containsExactly("default_has_rows", "created");
    assertThat(partitionOutcomes(10, 11)).containsExactly("default_has_rows", "present");
  }

  @Test
  void a_partition_that_cannot_be_had_at_once_is_left_for_later() throws SQLException {
    try (Connection blocker = database.superuser();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.outbox_events_default IN ACCESS SHARE MODE");
      assertThat(partitionOutcomes(8, 8)).containsExactly("locked");
      blocker.rollback();
    }
    assertThat(partitionOutcomes(8, 8)).containsExactly("created");
  }

  @Test
  void a_long_open_writer_neither_stops_partitions_nor_is_stopped() throws SQLException {
    try (Connection writer = database.connect("onceward_app")) {
      writer.setAutoCommit(false);
      dev.onceward.db.WorkspaceContext.set(writer, tenant.workspaceId());
      OutboxWriter.append(writer, NewEvent.of("a.b", "a", "1", "{}"));
      assertThat(partitionOutcomes(8, 9)).containsExactly("created", "created");
      writer.commit();
    }
    assertThat(column("event_type")).isEqualTo("a.b");
  }

  @Test
  void the_publication_has_inserts_of_the_envelopes_columns_only() throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate, p.pubviaroot, t.attnames::text
                FROM pg_publication p JOIN pg_publication_tables t USING (pubname) WHERE p.pubname = 'onceward_outbox'
                """)) {
      assertThat(row.next()).isTrue();
      assertThat(row.getBoolean(1)).isTrue();
      assertThat(row.getBoolean(2) || row.getBoolean(3) || row.getBoolean(4)).isFalse();
      assertThat(row.getBoolean(5)).isTrue();
      assertThat(row.getString(6))
          .doesNotContain("created_at")
          .doesNotContain("xid")
          .contains("payload");
    }
  }

  @Test
  void a_status_is_pending_until_audited_and_parked_ones_say_so() throws SQLException {
    append(NewEvent.of("a.b", "a", "1", "{}"));
    assertThat(status()).isEqualTo("pending");
    execute(
        "INSERT INTO onceward.relay_state (relay, audited_snapshot) VALUES ('onceward', pg_current_snapshot())");
    assertThat(status()).isEqualTo("dispatched");
    execute(
        """
        INSERT INTO onceward.parked_events (event_id, workspace_id, topic, partition_key, record_key, record_value, record_headers, xid)
        SELECT id, workspace_id, 't', 'k', '', '', '{}', xid FROM onceward.outbox_events
        """);
    assertThat(status()).isEqualTo("parked");
    execute("UPDATE onceward.parked_events SET status = 'dead_letter'");
    assertThat(status()).isEqualTo("dead_letter");
  }

  private void append(NewEvent event) throws SQLException {
    database
        .app()
        .inWorkspace(
            tenant.workspaceId(),
            connection -> {
              OutboxWriter.append(connection, event);
              return event;
            });
  }

  private void assertRefused(String constraint, NewEvent event) {
    assertThatThrownBy(() -> append(event))
        .isInstanceOfSatisfying(
            SQLException.class,
            refused -> {
              assertThat(refused.getSQLState()).isEqualTo(SqlStates.CHECK_VIOLATION);
              assertThat(SqlStates.constraint(refused)).isEqualTo(constraint);
            });
  }

  private List<String> partitionOutcomes(int firstDay, int lastDay) throws SQLException {
    try (Connection relay = database.connect("onceward_relay");
        PreparedStatement statement =
            relay.prepareStatement("SELECT outcome FROM onceward.outbox_create_partitions(?, ?)")) {
      statement.setInt(1, firstDay);
      statement.setInt(2, lastDay);
      List<String> outcomes = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          outcomes.add(row.getString(1));
        }
      }
      return outcomes;
    }
  }

  private static String uuidAt(Instant time) {
    String milliseconds = String.format(java.util.Locale.ROOT, "%012x", time.toEpochMilli());
    return milliseconds.substring(0, 8)
        + "-"
        + milliseconds.substring(8)
        + "-7000-8000-000000000000";
  }

  private String status() throws SQLException {
    return database
        .app()
        .inWorkspace(
            tenant.workspaceId(),
            connection -> {
              try (Statement statement = connection.createStatement();
                  ResultSet row =
                      statement.executeQuery("SELECT status FROM onceward.outbox_event_status")) {
                row.next();
                return row.getString(1);
              }
            });
  }

  private String column(String expression) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT " + expression + " FROM onceward.outbox_events")) {
      row.next();
      return row.getString(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }
}
