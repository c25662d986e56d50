package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.SqlStates;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Parked events and operations; the records are in {@link DeadLetterRecordsTest}. */
@ExtendWith(InfrastructureExtension.class)
final class DeadLettersCommandTest {

  private static final String DATABASE_KINDS = "--kind=parked,operation";

  @TempDir private Path directory;
  private MigratedDatabase database;
  private DeadLetterRows rows;
  private Tenant one;
  private Tenant other;
  private String config;

  @BeforeEach
  void prepare(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    rows = new DeadLetterRows(database);
    one = database.newTenant();
    other = database.newTenant();
    config = OpsConfig.write(directory, database.url(), "onceward_ops", MigratedDatabase.PASSWORD);
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void all_kinds_are_listed_newest_first_without_their_content_and_each_filter_narrows()
      throws Exception {
    UUID parked = rows.parked(one, true, "{\"marker\":1}", "too large");
    UUID pending = rows.parked(other, false, "{\"marker\":2}", "the topic is missing");
    UUID dead = rows.operation(one, "s1", "dead", "PLATFORM_AWAY", "answered 503").operationId();
    UUID failed = rows.operation(other, "s2", "failed", "REFUSED", "no").operationId();
    rows.text(
        "UPDATE onceward.operations SET finished_at = now() - interval '2 h' WHERE id = '%s' RETURNING 1"
            .formatted(dead));

    JsonNode all = json("list", DATABASE_KINDS);
    assertThat(all.path("total").asInt()).isEqualTo(4);
    assertThat(all.toString()).doesNotContain("marker").doesNotContain("subject");
    assertThat(ids(all))
        .containsExactly(failed.toString(), pending.toString(), parked.toString(), dead.toString());
    JsonNode first = all.at("/dead_letters/0");
    assertThat(first.path("kind").asText()).isEqualTo("operation");
    assertThat(first.path("state").asText()).isEqualTo("failed");
    assertThat(first.path("event_type").asText()).isEqualTo("thing.made");
    assertThat(first.path("attempts").asInt()).isEqualTo(3);
    assertThat(first.path("workspace_id").asText()).isEqualTo(other.workspaceId().toString());
    assertThat(all.at("/dead_letters/1/state").asText()).isEqualTo("parked");

    String only = "--kind=operation";
    assertThat(ids(json("list", DATABASE_KINDS, "--type", "thing.parked"))).hasSize(2);
    assertThat(ids(json("list", only, "--code", "REFUSED"))).containsExactly(failed.toString());
    assertThat(ids(json("list", only, "--workspace", one.workspaceId().toString())))
        .containsExactly(dead.toString());
    assertThat(ids(json("list", only, "--from", "1h"))).containsExactly(failed.toString());
    assertThat(ids(json("list", only, "--to", "1h"))).containsExactly(dead.toString());
    assertThat(json("list", DATABASE_KINDS, "--limit", "1").path("total").asInt()).isEqualTo(4);
    assertThat(run("list", DATABASE_KINDS, "--limit", "1").out())
        .contains(failed.toString())
        .contains("the newest 1 of 4")
        .doesNotContain(dead.toString());
  }

  @Test
  void failures_of_one_cause_are_a_group_that_can_be_redriven_alone() throws Exception {
    UUID first = rows.operation(one, "s1", "dead", "AWAY", "shop 17 answered 503").operationId();
    rows.operation(other, "s2", "dead", "AWAY", "shop 9 answered 502");
    UUID last = rows.operation(one, "s3", "dead", "AWAY", "shop 4 answered 500").operationId();
    UUID apart = rows.operation(one, "s4", "failed", "REFUSED", "shop 4 closed").operationId();

    JsonNode groups = json("groups", DATABASE_KINDS).path("groups");
    assertThat(groups).hasSize(2);
    JsonNode group = groups.get(0);
    assertThat(group.path("count").asInt()).isEqualTo(3);
    assertThat(group.path("summary").asText()).isEqualTo("shop <n> answered <n>");
    assertThat(group.path("workspaces").asInt()).isEqualTo(2);
    assertThat(group.at("/kinds/operation").asInt()).isEqualTo(3);
    assertThat(group.path("example").asText()).isEqualTo(last.toString());
    assertThat(group.path("first_at").asText()).isLessThan(group.path("last_at").asText());
    String id = group.path("id").asText();
    assertThat(run("groups", DATABASE_KINDS).out()).contains(id).contains("shop <n> closed");

    JsonNode redriven = json("redrive", DATABASE_KINDS, "--group", id, "--yes");
    assertThat(redriven.at("/changed/operation").asInt()).isEqualTo(3);
    assertThat(stateOf(first)).isEqualTo("queued");
    assertThat(stateOf(apart)).isEqualTo("failed");
    assertThat(json("groups", DATABASE_KINDS).path("groups")).hasSize(1);
  }

  @Test
  void a_redriven_operation_has_all_its_attempts_again_and_keeps_its_history() throws Exception {
    NewTask task = rows.operation(one, "s1", "dead", "AWAY", "answered 503");
    String id = task.operationId().toString();

    JsonNode redriven = json("redrive", id, "--yes");
    String replay = redriven.path("replay_id").asText();
    assertThat(redriven.path("refused")).isEmpty();
    assertThat(
            rows.text(
                "SELECT concat_ws(' ', state, attempt, effect_key, last_error_code) FROM"
                    + " onceward.operations"))
        .isEqualTo("queued 0 " + task.event().id());
    assertThat(
            rows.text(
                """
                SELECT concat_ws(' ', e.request_id, e.payload, e.workspace_id) FROM onceward.outbox_events e
                JOIN onceward.operations o ON o.event_id = e.id
                """))
        .isEqualTo(replay + " {\"subject\":\"s1\"} " + one.workspaceId());
    assertThat(rows.text("SELECT count(*) FROM onceward.operation_events")).isEqualTo("2");
    assertThat(run("show", id, DATABASE_KINDS).err()).contains("is queued and no dead letter");

    rows.end(task.operationId(), "failed", "REFUSED", "no such shop");
    JsonNode shown = json("show", id);
    assertThat(shown.at("/dead_letter/redrives").asInt()).isOne();
    assertThat(shown.at("/dead_letter/code").asText()).isEqualTo("REFUSED");
    assertThat(shown.at("/history/0/code").asText()).isEqualTo("AWAY");
    assertThat(shown.at("/history/0/attempts").asInt()).isEqualTo(3);
    assertThat(shown.at("/history/0/replay_id").asText()).isEqualTo(replay);
    assertThat(shown.path("payload").isNull()).isTrue();
    assertThat(json("show", id, "--payload").path("payload").asText())
        .isEqualTo("{\"subject\":\"s1\"}");
    assertThat(run("show", id).out()).contains("redriven    1").contains("was AWAY after 3");
    assertThat(
            rows.text(
                "SELECT string_agg(command || ' ' || state || ' ' || coalesce(result, ''), ','"
                    + " ORDER BY id) FROM onceward.ops_actions"))
        .isEqualTo(
            "dead-letters redrive started ,dead-letters redrive succeeded replay "
                + replay
                + ": operation 1");
  }

  @Test
  void a_redriven_event_is_the_relays_again_and_one_without_a_record_is_refused() throws Exception {
    UUID event = rows.parked(one, true, "{\"marker\":1}", "too large");
    UUID formless = rows.parked(other, true, "", "no form");
    UUID pending = rows.parked(other, false, "{}", "the topic is missing");

    CommandRun run = run("redrive", "--all", "--kind=parked", "--yes");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("redriven: 1 (parked 1)")
        .contains("not redriven: parked " + formless + ": the row has no record form");
    assertThat(parkedState(event)).isEqualTo("pending true");
    assertThat(parkedState(formless)).isEqualTo("dead_letter false");
    assertThat(parkedState(pending)).isEqualTo("pending false");
    assertThat(json("show", event.toString(), DATABASE_KINDS).at("/dead_letter/redrives").asInt())
        .isOne();
    assertThat(rows.text("SELECT state FROM onceward.ops_actions ORDER BY id DESC LIMIT 1"))
        .isEqualTo("failed");
  }

  @Test
  void what_is_discarded_keeps_its_place_with_the_reason_and_is_open_again_when_it_fails_again()
      throws Exception {
    UUID event = rows.parked(one, true, "{}", "too large");
    UUID operation = rows.operation(other, "s1", "failed", "REFUSED", "no").operationId();

    json("discard", "--all", DATABASE_KINDS, "--reason", " the shop is closed ", "--yes");
    assertThat(parkedState(event)).isEqualTo("discarded false");
    assertThat(stateOf(operation)).isEqualTo("failed");
    assertThat(ids(json("list", DATABASE_KINDS))).isEmpty();
    assertThat(ids(json("list", DATABASE_KINDS, "--discarded")))
        .containsExactlyInAnyOrder(event.toString(), operation.toString());
    assertThat(json("show", operation.toString()).at("/history/0/reason").asText())
        .isEqualTo("the shop is closed");
    for (UUID id : List.of(event, operation)) {
      CommandRun again = run("redrive", id.toString(), DATABASE_KINDS, "--yes");
      assertThat(again.exitCode()).isEqualTo(1);
      assertThat(again.err()).contains(id + " was discarded already");
    }

    rows.text(
        "UPDATE onceward.operations SET event_id = '%s' RETURNING 1".formatted(UUID.randomUUID()));
    assertThat(ids(json("list", DATABASE_KINDS))).containsExactly(operation.toString());
  }

  @Test
  void a_dry_run_shows_the_groups_and_a_no_ends_it_and_neither_changes_anything() throws Exception {
    rows.operation(one, "s1", "dead", "AWAY", "answered 503");
    rows.parked(one, true, "{}", "too large");
    String before = rows.everything();

    CommandRun dry = run("redrive", "--all", DATABASE_KINDS, "--dry-run");
    assertThat(dry.exitCode()).isZero();
    assertThat(dry.out())
        .contains("would be redriven: 2 (operation 1, parked 1)")
        .contains("answered <n>");
    assertThat(dry.err()).contains("dry run, nothing was changed");
    CommandRun no =
        CommandRun.answering(
            List.of("n"), "dead-letters", "redrive", "--all", DATABASE_KINDS, "--config", config);
    assertThat(no.exitCode()).isEqualTo(1);
    assertThat(no.err()).contains("2 (operation 1, parked 1) of the dead letters will be redriven");
    assertThat(rows.everything()).isEqualTo(before);
  }

  @Test
  void of_two_operations_that_may_not_be_active_together_the_second_is_refused() throws Exception {
    rows.operation(one, "store", "dead", "AWAY", "first");
    UUID second = rows.operation(one, "store", "dead", "AWAY", "second").operationId();

    CommandRun run = run("redrive", "--code", "AWAY", "--kind=operation", "--yes");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("redriven: 1 (operation 1)")
        .contains(second + ": another operation of the same subject is active");
    assertThat(stateOf(second)).isEqualTo("dead");
    assertThat(rows.text("SELECT count(*) FROM onceward.dead_letter_acts")).isEqualTo("1");
  }

  @Test
  void only_one_command_changes_dead_letters_at_a_time() throws Exception {
    UUID operation = rows.operation(one, "s1", "dead", "AWAY", "x").operationId();
    try (Connection busy = database.connect("onceward_ops");
        Statement statement = busy.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(hashtextextended('onceward dead-letters', 0))");
      CommandRun run = run("redrive", operation.toString(), "--yes");
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("another command is changing dead letters");
    }
    assertThat(stateOf(operation)).isEqualTo("dead");
  }

  @Test
  void what_cannot_be_meant_is_refused_and_changes_nothing() throws Exception {
    UUID live = rows.operation(one, "s1", "dead", "AWAY", "x").operationId();
    json("redrive", live.toString(), "--yes");
    UUID dead = rows.operation(one, "s2", "dead", "AWAY", "x").operationId();
    UUID pending = rows.parked(one, false, "{}", "the topic is missing");
    String before = rows.everything();
    String unknown = UUID.randomUUID().toString();

    refused(2, "Say which", "redrive", "--yes");
    refused(2, "Say which", "redrive", "--kind=operation", "--yes");
    refused(2, "not both", "redrive", dead.toString(), "--code", "AWAY", "--yes");
    refused(2, "not both", "redrive", dead.toString(), "--all", "--yes");
    refused(2, "not both", "redrive", "--all", "--code", "AWAY", "--yes");
    refused(2, "range is empty", "redrive", "--from", "1h", "--to", "2h", "--yes");
    refused(2, "is no group", "redrive", "--group", "xyz", "--yes");
    refused(2, "is no time", "redrive", "--from", "yesterday", "--yes");
    refused(2, "neither an id", "redrive", "abc", "--yes");
    refused(2, "--yes", "redrive", dead.toString());
    refused(2, "--limit", "list", "--limit", "0");
    refused(1, "no dead letter has the id", "redrive", unknown, DATABASE_KINDS, "--yes");
    refused(1, "is queued and no dead letter", "redrive", live.toString(), DATABASE_KINDS, "--yes");
    refused(
        1,
        "no dead letter has the id",
        "redrive",
        dead.toString(),
        unknown,
        DATABASE_KINDS,
        "--yes");
    refused(1, "still tries it", "redrive", pending.toString(), DATABASE_KINDS, "--yes");
    refused(1, "no dead letter matches", "redrive", "--code", "NONE", DATABASE_KINDS, "--yes");
    refused(1, "no dead letter matches", "redrive", "--group", "00000000", DATABASE_KINDS, "--yes");
    refused(2, "--reason", "discard", dead.toString(), "--yes");
    refused(2, "1 to 500", "discard", dead.toString(), "--reason", " ", "--yes");
    refused(
        2, "secret", "discard", dead.toString(), "--reason", "see https://x/?token=abc", "--yes");
    refused(3, "onceward.kafka.bootstrap.servers", "redrive", "--all", "--yes");
    assertThat(rows.everything()).isEqualTo(before);
  }

  @Test
  void the_operators_role_queues_failures_and_can_do_no_more_to_operations_and_events()
      throws Exception {
    rows.operation(one, "s1", "dead", "AWAY", "x");
    UUID succeeded = rows.operation(one, "s2", "dead", "AWAY", "x").operationId();
    rows.text(
        "UPDATE onceward.operations SET state = 'succeeded', last_error_code = NULL WHERE id = '%s' RETURNING 1"
            .formatted(succeeded));
    try (Connection ops = database.connect("onceward_ops");
        Statement statement = ops.createStatement()) {
      ops.setAutoCommit(false);
      WorkspaceContext.set(ops, one.workspaceId());
      assertThat(
              statement.executeUpdate(
                  "UPDATE onceward.operations SET state = 'queued', finished_at = NULL WHERE id = '"
                      + succeeded
                      + "'"))
          .isZero();
      for (String attempt :
          List.of(
              "UPDATE onceward.operations SET state = 'cancelled'",
              "SELECT onceward.outbox_append('thing.made', 'thing', '1', '{}')",
              "UPDATE onceward.dead_letter_acts SET acted_by = 'x'",
              "DELETE FROM onceward.dead_letter_acts",
              "UPDATE onceward.operations SET result = '{}'")) {
        assertThatThrownBy(
                () -> {
                  try {
                    statement.execute(attempt);
                  } finally {
                    ops.rollback();
                    WorkspaceContext.set(ops, one.workspaceId());
                  }
                })
            .as(attempt)
            .isInstanceOfSatisfying(
                SQLException.class,
                refused ->
                    assertThat(refused.getSQLState()).isEqualTo(SqlStates.INSUFFICIENT_PRIVILEGE));
      }
    }
  }

  private void refused(int exitCode, String message, String... arguments) {
    CommandRun run = run(arguments);
    assertThat(run.exitCode()).as(String.join(" ", arguments)).isEqualTo(exitCode);
    assertThat(run.err()).as(String.join(" ", arguments)).contains(message);
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("dead-letters"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--config", config));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private JsonNode json(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--output", "json"));
    CommandRun run = run(all.toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    return run.json();
  }

  private static List<String> ids(JsonNode listing) {
    List<String> ids = new ArrayList<>();
    listing.path("dead_letters").forEach(letter -> ids.add(letter.path("id").asText()));
    return ids;
  }

  private String stateOf(UUID operationId) throws SQLException {
    return rows.text("SELECT state FROM onceward.operations WHERE id = '" + operationId + "'");
  }

  private String parkedState(UUID eventId) throws SQLException {
    return rows.text(
        "SELECT status || ' ' || (replay_id IS NOT NULL)::text FROM onceward.parked_events WHERE"
            + " event_id = '"
            + eventId
            + "'");
  }
}
