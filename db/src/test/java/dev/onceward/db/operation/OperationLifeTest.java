package dev.onceward.db.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.Database;
import dev.onceward.db.SqlStates;
import dev.onceward.db.operation.ClaimResult.Claimed;
import dev.onceward.db.operation.ClaimResult.NotClaimed;
import dev.onceward.db.operation.ClaimResult.Reason;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class OperationLifeTest {

  private static final Duration LEASE = Duration.ofSeconds(30);

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
  void a_task_and_its_event_are_written_together_or_not_at_all() throws SQLException {
    NewTask task = task(3);
    try (Connection connection = database.connect("onceward_app")) {
      connection.setAutoCommit(false);
      dev.onceward.db.WorkspaceContext.set(connection, tenant.workspaceId());
      TaskWriter.append(connection, task);
      connection.rollback();
    }
    assertThat(count("onceward.operations")).isZero();
    assertThat(count("onceward.outbox_events")).isZero();

    append(task);
    Operation operation = find(task);
    assertThat(operation.state()).isEqualTo(OperationState.QUEUED);
    assertThat(operation.eventId()).isEqualTo(task.event().id());
    assertThat(operation.subjectType()).isEqualTo("thing");
    assertThat(operation.maxAttempts()).isEqualTo(3);
    assertThat(count("onceward.operation_events")).isEqualTo(1);
    assertThat(count("onceward.outbox_events")).isEqualTo(1);
  }

  @Test
  void of_many_claims_at_once_exactly_one_wins() throws Exception {
    NewTask task = task(8);
    append(task);
    ExecutorService workers = Executors.newFixedThreadPool(16);
    try {
      List<Callable<ClaimResult>> claims = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        String owner = "worker-" + i;
        claims.add(() -> claim(task, owner));
      }
      int won = 0;
      for (Future<ClaimResult> result : workers.invokeAll(claims)) {
        if (result.get() instanceof NotClaimed refused) {
          assertThat(refused.reason()).isEqualTo(Reason.RUNNING_ELSEWHERE);
        } else {
          won++;
        }
      }
      assertThat(won).isEqualTo(1);
    } finally {
      workers.shutdownNow();
    }
    assertThat(find(task).attempt()).isEqualTo(1);
  }

  @Test
  void success_is_final_and_a_late_owner_changes_nothing() throws SQLException {
    NewTask task = task(8);
    append(task);
    Lease first = claimed(task, "first");
    expireLease(task);
    Lease second = claimed(task, "second");
    assertThat(second.attempt()).isEqualTo(2);
    assertThat(yes(c -> OperationFinishes.succeed(c, first, "{}"))).isFalse();
    assertThat(yes(c -> OperationClaims.renew(c, first, LEASE))).isFalse();
    assertThat(yes(c -> OperationFinishes.succeed(c, second, "{\"n\":1}"))).isTrue();
    assertThat(yes(c -> OperationFinishes.fail(c, second, "LATE", "late"))).isFalse();
    assertThat(maybe(c -> OperationFinishes.retryLater(c, second, LEASE, "LATE", "late")))
        .isEmpty();
    assertThat(reason(claim(task, "third"))).isEqualTo(Reason.FINAL);
    assertThat(find(task).result()).isEqualTo("{\"n\":1}");
    assertThat(find(task).state()).isEqualTo(OperationState.SUCCEEDED);
  }

  @Test
  void a_renewed_lease_holds_and_an_expired_one_cannot_be_renewed() throws SQLException {
    NewTask task = task(8);
    append(task);
    Lease lease = claimed(task, "owner");
    assertThat(yes(c -> OperationClaims.renew(c, lease, LEASE))).isTrue();
    assertThat(reason(claim(task, "another"))).isEqualTo(Reason.RUNNING_ELSEWHERE);
    expireLease(task);
    assertThat(yes(c -> OperationClaims.renew(c, lease, LEASE))).isFalse();
  }

  @Test
  void attempts_wait_and_end_dead() throws SQLException {
    NewTask task = task(2);
    append(task);
    Lease first = claimed(task, "owner");
    assertThat(
            maybe(
                c ->
                    OperationFinishes.retryLater(
                        c, first, Duration.ofHours(1), "AWAY", "the platform is away")))
        .contains(OperationState.WAITING_RETRY);
    assertThat(reason(claim(task, "owner"))).isEqualTo(Reason.NOT_DUE);
    execute("UPDATE onceward.operations SET next_attempt_at = now()");
    Lease second = claimed(task, "owner");
    assertThat(
            maybe(
                c ->
                    OperationFinishes.retryLater(
                        c, second, Duration.ZERO, "AWAY", "x".repeat(900))))
        .contains(OperationState.DEAD);
    assertThat(find(task).lastErrorSummary()).hasSize(OperationFinishes.SUMMARY_LIMIT);
    assertThat(reason(claim(task, "owner"))).isEqualTo(Reason.FINAL);
  }

  @Test
  void a_last_attempt_that_never_came_back_is_buried() throws SQLException {
    NewTask task = task(1);
    append(task);
    claimed(task, "killed");
    assertThat(yes(c -> OperationClaims.buryExpired(c, task.operationId())))
        .as("lease still holds")
        .isFalse();
    expireLease(task);
    assertThat(reason(claim(task, "next"))).isEqualTo(Reason.ATTEMPTS_USED_UP);
    assertThat(yes(c -> OperationClaims.buryExpired(c, task.operationId()))).isTrue();
    assertThat(find(task).state()).isEqualTo(OperationState.DEAD);
    assertThat(find(task).lastErrorCode()).isEqualTo("LEASE_EXPIRED");
  }

  @Test
  void a_task_handed_back_has_its_attempt_again() throws SQLException {
    NewTask task = task(1);
    append(task);
    Lease lease = claimed(task, "stopping");
    assertThat(yes(c -> OperationClaims.handBack(c, lease))).isTrue();
    assertThat(find(task).state()).isEqualTo(OperationState.QUEUED);
    assertThat(claimed(task, "next").attempt()).isEqualTo(1);
  }

  @Test
  void an_older_event_is_superseded_and_an_unknown_one_not_visible() throws SQLException {
    NewTask task = task(8);
    append(task);
    UUID newer = dev.onceward.db.UuidV7.next();
    execute("UPDATE onceward.operations SET event_id = '%s'".formatted(newer));
    assertThat(reason(claim(task, "owner"))).isEqualTo(Reason.SUPERSEDED);
    ClaimResult unknown = in(c -> OperationClaims.claim(c, UUID.randomUUID(), "owner", LEASE));
    assertThat(reason(unknown)).isEqualTo(Reason.NOT_VISIBLE);
  }

  @Test
  void queued_operations_are_due_once_their_event_was_proven_delivered() throws SQLException {
    NewTask task = task(8);
    append(task);
    execute("UPDATE onceward.operations SET updated_at = now() - interval '3 minutes'");
    assertThat(due()).isEmpty();
    execute(
        "INSERT INTO onceward.relay_state (relay, audited_snapshot) VALUES ('onceward', pg_current_snapshot())");
    assertThat(due()).extracting(DueOperation::operationId).containsExactly(task.operationId());
  }

  @Test
  void a_summary_with_a_secret_is_withheld_and_a_result_with_one_refused() throws SQLException {
    NewTask task = task(8);
    append(task);
    Lease lease = claimed(task, "owner");
    assertThatThrownBy(() -> in(c -> OperationFinishes.succeed(c, lease, "{\"token\":\"t\"}")))
        .isInstanceOf(dev.onceward.db.secret.SecretFoundException.class);
    assertThat(yes(c -> OperationFinishes.fail(c, lease, "REFUSED", "GET https://u:p@h failed")))
        .isTrue();
    assertThat(find(task).lastErrorSummary()).contains("withheld");
  }

  @Test
  void the_table_refuses_columns_that_do_not_fit_the_state() throws SQLException {
    append(task(8));
    for (String change :
        List.of(
            "state = 'running'",
            "state = 'running', lease_owner = 'x', lease_expires_at = now()",
            "state = 'succeeded'",
            "state = 'waiting_retry', last_error_code = 'X'",
            "state = 'dead', finished_at = now()",
            "state = 'unheard_of'",
            "lease_owner = 'x', lease_expires_at = now()",
            "result = '{}'",
            "attempt = 9",
            "last_error_code = 'lower case'")) {
      assertThatThrownBy(() -> execute("UPDATE onceward.operations SET " + change))
          .as(change)
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> assertThat(e.getSQLState()).as(change).isEqualTo(SqlStates.CHECK_VIOLATION));
    }
  }

  @Test
  void operations_are_listed_by_state_and_kind_in_pages() throws SQLException {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      NewTask task = task(8);
      append(task);
      ids.add(0, task.operationId());
    }
    List<Operation> firstPage =
        in(c -> OperationStore.list(c, OperationState.QUEUED, "check_it", null, 2));
    List<Operation> rest = in(c -> OperationStore.list(c, null, null, firstPage.get(1).id(), 10));
    assertThat(firstPage).extracting(Operation::id).isEqualTo(ids.subList(0, 2));
    assertThat(rest).extracting(Operation::id).isEqualTo(ids.subList(2, 5));
    assertThat(many(c -> OperationStore.list(c, OperationState.DEAD, null, null, 2))).isEmpty();
    assertThat(many(c -> OperationStore.list(c, null, "another_kind", null, 2))).isEmpty();
  }

  private static NewTask task(int maxAttempts) {
    NewTask task =
        NewTask.of("check_it", NewEvent.of("thing.checked", "thing", "1", "{\"id\": 1}"));
    return new NewTask(task.operationId(), task.kind(), maxAttempts, task.event());
  }

  private void append(NewTask task) throws SQLException {
    in(
        c -> {
          TaskWriter.append(c, task);
          return task;
        });
  }

  private ClaimResult claim(NewTask task, String owner) throws SQLException {
    return in(c -> OperationClaims.claim(c, task.event().id(), owner, LEASE));
  }

  private Lease claimed(NewTask task, String owner) throws SQLException {
    return Lease.of(((Claimed) claim(task, owner)).operation());
  }

  private static Reason reason(ClaimResult result) {
    return ((NotClaimed) result).reason();
  }

  private Operation find(NewTask task) throws SQLException {
    return in(c -> OperationStore.find(c, task.operationId())).orElseThrow();
  }

  private List<DueOperation> due() throws SQLException {
    return app.inTransaction(c -> OperationStore.due(c, List.of("check_it"), 10));
  }

  private void expireLease(NewTask task) throws SQLException {
    execute(
        "UPDATE onceward.operations SET lease_expires_at = now() - interval '1 s' WHERE id = '%s'"
            .formatted(task.operationId()));
  }

  // AssertJ's assertThat is ambiguous for a bare type variable.
  private boolean yes(Database.Work<Boolean> work) throws SQLException {
    return in(work);
  }

  private <T> Optional<T> maybe(Database.Work<Optional<T>> work) throws SQLException {
    return in(work);
  }

  private <T> List<T> many(Database.Work<List<T>> work) throws SQLException {
    return in(work);
  }

  private <T> T in(Database.Work<T> work) throws SQLException {
    return app.inWorkspace(tenant.workspaceId(), work);
  }

  private void execute(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }

  private long count(String table) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }
}
