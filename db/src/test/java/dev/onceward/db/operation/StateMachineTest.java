package dev.onceward.db.operation;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.Database;
import dev.onceward.db.UuidV7;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The enum, the table's CHECK, the diagram and the statements say the same. */
@ExtendWith(InfrastructureExtension.class)
class StateMachineTest {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Pattern LABEL = Pattern.compile("'([a-z_]+)'::text");
  private static final Pattern ARROW = Pattern.compile("(?m)^ +([a-z_]+) --> ([a-z_]+)");

  private MigratedDatabase database;
  private Database app;
  private Tenant tenant;

  @BeforeEach
  void tenant(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    app = database.app();
    tenant = database.newTenant();
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void the_table_knows_the_states_of_the_enum_and_no_other() throws SQLException {
    String check =
        text(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'operations_state_known'");
    Set<String> known =
        LABEL
            .matcher(check)
            .results()
            .map(found -> found.group(1))
            .collect(toCollection(TreeSet::new));
    assertThat(known)
        .isEqualTo(
            Arrays.stream(OperationState.values())
                .map(OperationState::label)
                .collect(toCollection(TreeSet::new)));
  }

  @Test
  void the_diagram_draws_the_transitions_of_the_enum_and_no_other() throws Exception {
    String drawn = Files.readString(Path.of("..", "docs", "state-machine.md"));
    Set<String> arrows =
        ARROW
            .matcher(drawn)
            .results()
            .map((MatchResult arrow) -> arrow.group(1) + " " + arrow.group(2))
            .collect(toCollection(TreeSet::new));
    Set<String> transitions = new TreeSet<>();
    for (OperationState state : OperationState.values()) {
      state.successors().forEach(next -> transitions.add(state.label() + " " + next.label()));
    }
    assertThat(arrows).isEqualTo(transitions);
  }

  /** Each statement that changes a state, tried on an operation in each state. */
  private Map<String, Database.Work<?>> statements(NewTask task, Lease lease) {
    Map<String, Database.Work<?>> all = new LinkedHashMap<>();
    all.put("claim", c -> OperationClaims.claim(c, task.event().id(), "worker", LEASE));
    all.put("claim fresh", c -> OperationClaims.claimFresh(c, task.event().id(), "worker", LEASE));
    all.put(
        "claim many",
        c -> OperationBatches.claimFresh(c, List.of(task.event().id()), "worker", LEASE));
    all.put("renew", c -> OperationClaims.renew(c, lease, LEASE));
    all.put("hand back", c -> OperationClaims.handBack(c, lease));
    all.put("bury", c -> OperationClaims.buryExpired(c, task.operationId()));
    all.put("succeed", c -> OperationFinishes.succeed(c, lease, "{}"));
    all.put(
        "succeed many",
        c -> OperationBatches.succeed(c, List.of(new OperationBatches.Success(lease, null))));
    all.put("fail", c -> OperationFinishes.fail(c, lease, "REFUSED", "No."));
    all.put(
        "retry later",
        c -> OperationFinishes.retryLater(c, lease, Duration.ZERO, "AWAY", "Not now."));
    all.put("cancel", c -> OperationControl.cancel(c, task.operationId()));
    all.put("retry", c -> OperationControl.retry(c, task.operationId(), null, null, null));
    return all;
  }

  @Test
  void no_statement_makes_a_transition_that_the_enum_does_not_know_and_each_of_them_is_made()
      throws SQLException {
    Set<String> names =
        statements(task(), new Lease(UuidV7.next(), UuidV7.next(), "worker", 1)).keySet();
    Set<String> made = new TreeSet<>();
    Set<String> known = new TreeSet<>();
    for (OperationState state : OperationState.values()) {
      state.successors().forEach(next -> known.add(state.label() + " " + next.label()));
      boolean[] either =
          state == OperationState.RUNNING ? new boolean[] {false, true} : new boolean[] {false};
      for (boolean lastAttempt : either) {
        for (boolean leaseOver : either) {
          for (String statement : names) {
            OperationState after = after(statement, state, lastAttempt, leaseOver);
            if (after != null) {
              made.add(state.label() + " " + after.label());
            }
          }
        }
      }
    }
    assertThat(made).isEqualTo(known);
  }

  /** The state after one statement; null if it changed nothing. */
  private @Nullable OperationState after(
      String statement, OperationState state, boolean lastAttempt, boolean leaseOver)
      throws SQLException {
    NewTask task = task();
    app.runInWorkspace(tenant.workspaceId(), c -> TaskWriter.append(c, task));
    execute(
        """
        UPDATE onceward.operations SET state = '%1$s', attempt = %2$d, max_attempts = 3,
          lease_owner = CASE '%1$s' WHEN 'running' THEN 'worker' END,
          lease_expires_at = CASE '%1$s' WHEN 'running' THEN now() + interval '%3$d s' END,
          next_attempt_at = CASE '%1$s' WHEN 'waiting_retry' THEN now() END,
          last_error_code = CASE WHEN '%1$s' IN ('failed', 'dead', 'waiting_retry') THEN 'X' END,
          finished_at = CASE WHEN '%1$s' IN ('succeeded', 'failed', 'dead', 'cancelled') THEN now() END
        WHERE id = '%4$s'
        """
            .formatted(state.label(), lastAttempt ? 3 : 1, leaseOver ? -9 : 9, task.operationId()));
    Operation before = find(task);
    Lease lease = new Lease(task.operationId(), task.event().id(), "worker", before.attempt());
    var unused =
        app.inWorkspace(
            tenant.workspaceId(),
            c -> Objects.requireNonNull(statements(task, lease).get(statement)).run(c));
    Operation after = find(task);
    return after.equals(before) ? null : after.state();
  }

  private static NewTask task() {
    NewTask task = NewTask.of("check_it", NewEvent.of("thing.checked", "thing", "1", "{}"));
    return new NewTask(task.operationId(), task.kind(), 3, task.event());
  }

  private Operation find(NewTask task) throws SQLException {
    return app.inWorkspace(tenant.workspaceId(), c -> OperationStore.find(c, task.operationId()))
        .orElseThrow();
  }

  private void execute(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }

  private String text(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
