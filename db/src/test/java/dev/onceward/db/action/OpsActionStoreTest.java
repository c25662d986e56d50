package dev.onceward.db.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.SqlStates;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
final class OpsActionStoreTest {

  private static final NewAction PAUSE = new NewAction("someone", "relay pause", "--yes");

  private MigratedDatabase database;

  @BeforeEach
  void prepare(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void a_change_and_the_two_ends_of_another_are_read_newest_first() throws SQLException {
    try (Connection ops = database.connect("onceward_ops")) {
      long done = OpsActionStore.done(ops, PAUSE, "paused");
      long started = OpsActionStore.started(ops, new NewAction("someone", "replay", "--since 1h"));
      OpsActionStore.ended(ops, started, ActionState.INTERRUPTED, "7 of 9");
      // An end is its start's only one.
      assertThatThrownBy(() -> OpsActionStore.ended(ops, started, ActionState.SUCCEEDED, "9 of 9"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> assertThat(SqlStates.constraint(e)).isEqualTo("ops_actions_one_end"));
      assertThatThrownBy(() -> OpsActionStore.ended(ops, done, ActionState.SUCCEEDED, "x"))
          .isInstanceOf(IllegalStateException.class);

      try (Connection reader = database.connect("onceward_ops_read")) {
        List<OpsAction> all = OpsActionStore.list(reader, null, 10);
        assertThat(all)
            .extracting(OpsAction::state)
            .containsExactly(ActionState.INTERRUPTED, ActionState.STARTED, ActionState.DONE);
        OpsAction end = all.get(0);
        assertThat(end.startedId()).isEqualTo(started);
        assertThat(end.result()).isEqualTo("7 of 9");
        assertThat(end.arguments()).isEqualTo("--since 1h");
        assertThat(end.databaseRole()).isEqualTo("onceward_ops");
        assertThat(end.clientAddress()).isNotBlank();
        assertThat(OpsActionStore.list(reader, started, 10))
            .extracting(OpsAction::id)
            .containsExactly(done);
      }
    }
  }

  @Test
  void a_secret_is_withheld_and_what_is_too_long_is_cut() throws SQLException {
    String secret = "https://x/?signature=abc";
    try (Connection ops = database.connect("onceward_ops")) {
      OpsActionStore.done(ops, new NewAction("", "\0c\n", secret), "r" + "𝄞".repeat(5000));
      OpsAction read = OpsActionStore.list(ops, null, 1).get(0);
      assertThat(read.operator()).isEqualTo("-");
      assertThat(read.command()).isEqualTo("c");
      assertThat(read.arguments()).isEqualTo(NewAction.WITHHELD);
      assertThat(String.valueOf(read.result())).endsWith("𝄞…").hasSize(1 + 2 * 3998 + 1);
      try (Statement statement = ops.createStatement()) {
        assertThatThrownBy(
                () ->
                    statement.execute(
                        "INSERT INTO onceward.ops_actions (operator, command, arguments, state, result)"
                            + " VALUES ('o', 'c', '"
                            + secret
                            + "', 'done', 'r')"))
            .hasMessageContaining("ops_actions_arguments_without_secret");
      }
    }
  }

  @Test
  void nobody_changes_or_deletes_a_row_and_only_ops_adds_one() throws SQLException {
    try (Connection ops = database.connect("onceward_ops")) {
      OpsActionStore.done(ops, PAUSE, "paused");
    }
    for (String change :
        List.of(
            "UPDATE onceward.ops_actions SET operator = 'another'",
            "DELETE FROM onceward.ops_actions",
            "TRUNCATE onceward.ops_actions")) {
      for (String role : List.of("onceward_ops", "onceward_ops_read", "onceward_owner")) {
        assertRefused(role, change);
      }
    }
    for (String role : List.of("onceward_ops_read", "onceward_app", "onceward_relay")) {
      assertRefused(
          role,
          "INSERT INTO onceward.ops_actions (operator, command, arguments, state, result)"
              + " VALUES ('o', 'c', '', 'done', 'r')");
    }
    assertRefused(
        "onceward_ops",
        "INSERT INTO onceward.ops_actions (operator, command, arguments, state, result, database_role)"
            + " VALUES ('o', 'c', '', 'done', 'r', 'another')");
    assertRefused("onceward_app", "SELECT * FROM onceward.ops_actions");
  }

  private void assertRefused(String role, String sql) throws SQLException {
    try (Connection connection = database.connect(role);
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute(sql))
          .as("%s: %s", role, sql)
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> assertThat(e.getSQLState()).isEqualTo(SqlStates.INSUFFICIENT_PRIVILEGE));
    }
  }
}
