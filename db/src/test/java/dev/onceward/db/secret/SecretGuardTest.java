package dev.onceward.db.secret;

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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class SecretGuardTest {

  private static final List<String> SECRETS =
      List.of(
          "{\"password\":\"x\"}",
          "{\"a\":[{\"DB_PASSWORD\" : \"x\"}]}",
          "{\"pass\\u0077ord\":\"x\"}",
          "{\"apiKey\":\"x\"}",
          "{\"api-key\":[\"x\"]}",
          "{\"client_secret\":\"x\"}",
          "{\"Cookie\":\"a=b\"}",
          "{\"refresh_token\":\n\"x\"}",
          "{\"url\":\"https:\\/\\/bucket.example\\/o?X-Amz-Date=1\\u0026X-Amz-Signature=abc\"}",
          "{\"url\":\"https://bucket.example/o?sig=abc\"}",
          "{\"dsn\":\"postgres://user:pw@host/db\"}",
          "{\"note\":\"AKIAIOSFODNN7EXAMPLE\"}",
          "{\"note\":\"use ghp_0123456789abcdefghijklmnopqrstuvwxyz\"}",
          "{\"note\":\"ow_abcdefgh12345678_abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG\"}",
          "{\"h\":\"Bearer abcdef0123456789abcdef\"}",
          "{\"jwt\":\"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln\"}",
          "\"-----BEGIN RSA PRIVATE KEY-----\"");

  private static final List<String> HARMLESS =
      List.of(
          "{}",
          "[]",
          "null",
          "0",
          "{\"access_key_id\":\"k1\",\"password_changed_at\":\"2026-01-01\"}",
          "{\"token\":null,\"max_tokens\":5,\"secret\":false}",
          "{\"say\":\"\\\"password\\\": \\\"x\\\"\"}",
          "{\"say\":\"\\\\u0070assword\"}",
          "{\"nul\":\"\\u0000\",\"text\":\"\\\\u0000\"}",
          "{\"url\":\"https://shop.example/o?page=2&sort=signature\"}",
          "{\"note\":\"Basic introduction to Bearer authentication-schemes\"}",
          "{\"mail\":\"mailto:me@example.org\"}",
          "{\"note\":\"task-0123456789abcdefghijklmnop\"}");

  @Test
  void both_guards_know_secrets_from_harmless_texts(PostgresServer server) throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection connection = database.connect("onceward_app");
        PreparedStatement sql =
            connection.prepareStatement("SELECT onceward.json_has_secret(?::json)")) {
      for (boolean expected : new boolean[] {true, false}) {
        for (String json : expected ? SECRETS : HARMLESS) {
          assertThat(SecretGuard.isSecretInJson(json)).as("Java: %s", json).isEqualTo(expected);
          sql.setString(1, json);
          try (ResultSet row = sql.executeQuery()) {
            row.next();
            assertThat(row.getBoolean(1)).as("SQL: %s", json).isEqualTo(expected);
          }
        }
      }
    }
  }

  /** SQL looks for a few letters first, and for the patterns only where those are there. */
  @Test
  void both_guards_say_the_same_of_texts_that_are_nearly_secrets(PostgresServer server)
      throws SQLException {
    Random random = new Random(38);
    int secrets = 0;
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection connection = database.connect("onceward_app");
        PreparedStatement sql =
            connection.prepareStatement(
                "SELECT CASE WHEN t IS JSON THEN onceward.json_has_secret(t::json) END,"
                    + " onceward.text_has_secret(t) FROM (SELECT ?::text AS t OFFSET 0) AS texts")) {
      for (int i = 0; i < 3_000; i++) {
        String text = nearly(SECRETS.get(random.nextInt(SECRETS.size())), random);
        sql.setString(1, text);
        try (ResultSet row = sql.executeQuery()) {
          row.next();
          boolean inJson = row.getBoolean(1);
          if (!row.wasNull()) {
            assertThat(inJson).as(text).isEqualTo(SecretGuard.isSecretInJson(text));
            secrets += inJson ? 1 : 0;
          }
          assertThat(row.getBoolean(2)).as(text).isEqualTo(SecretGuard.isSecretInText(text));
        }
      }
    }
    assertThat(secrets).isBetween(300, 2_700);
  }

  /** The text with a few characters lost, doubled, replaced or of the other case. */
  private static String nearly(String text, Random random) {
    StringBuilder changed = new StringBuilder(text);
    for (int change = random.nextInt(4); change > 0; change--) {
      int at = random.nextInt(changed.length());
      char old = changed.charAt(at);
      switch (random.nextInt(4)) {
        case 0 -> changed.deleteCharAt(at);
        case 1 -> changed.insert(at, old);
        case 2 -> changed.setCharAt(at, '_');
        default ->
            changed.setCharAt(
                at,
                Character.isUpperCase(old)
                    ? Character.toLowerCase(old)
                    : Character.toUpperCase(old));
      }
    }
    return changed.toString();
  }

  @Test
  void both_guards_have_the_same_patterns_to_the_letter(PostgresServer server) throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server)) {
      String json = source(database, "json_has_secret(json)");
      String text = source(database, "text_has_secret(text)");
      // A pattern in Java and in SQL differ in nothing but how the two languages write a tab.
      assertThat(json).contains(SecretGuard.NAMES);
      assertThat(text).contains(SecretGuard.SHAPES_OF_ANY_CASE).contains(SecretGuard.SHAPES);
    }
  }

  private static String source(MigratedDatabase database, String function) throws SQLException {
    try (Connection connection = database.superuser();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT pg_get_functiondef(('onceward.' || ?)::regprocedure)")) {
      statement.setString(1, function);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  @Test
  void a_writer_that_goes_around_the_library_is_held_to_the_rule(PostgresServer server)
      throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server)) {
      Tenant tenant = database.newTenant();
      NewEvent event = NewEvent.of("thing.made", "thing", "1", SECRETS.get(0));
      assertThatThrownBy(
              () ->
                  database
                      .app()
                      .runInWorkspace(
                          tenant.workspaceId(),
                          connection -> {
                            OutboxWriter.append(connection, event);
                          }))
          .isInstanceOf(SecretFoundException.class)
          .hasMessageContaining("thing.made");
      assertThatThrownBy(
              () ->
                  database
                      .app()
                      .inWorkspace(
                          tenant.workspaceId(),
                          connection -> {
                            try (PreparedStatement statement =
                                connection.prepareStatement(
                                    "SELECT onceward.outbox_append('a.b', 'a', '1', ?::json)")) {
                              statement.setString(1, SECRETS.get(0));
                              return statement.execute();
                            }
                          }))
          .isInstanceOfSatisfying(
              SQLException.class,
              refused ->
                  assertThat(SqlStates.constraint(refused))
                      .isEqualTo("outbox_events_payload_without_secret"));
    }
  }
}
