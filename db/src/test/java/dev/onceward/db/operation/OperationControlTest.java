package dev.onceward.db.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.SqlStates;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.operation.ClaimResult.Claimed;
import dev.onceward.db.operation.ClaimResult.NotClaimed;
import dev.onceward.db.operation.ControlResult.Changed;
import dev.onceward.db.operation.ControlResult.Unfit;
import dev.onceward.db.operation.ControlResult.Unknown;
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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(InfrastructureExtension.class)
class OperationControlTest {

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final ExecutorService second = Executors.newSingleThreadExecutor();
  private MigratedDatabase database;
  private Tenant tenant;

  @BeforeEach
  void tenant(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    tenant = database.newTenant();
  }

  @AfterEach
  void drop() throws SQLException {
    second.shutdownNow();
    database.close();
  }

  @Test
  void of_two_retries_at_once_the_later_one_finds_the_operation_queued() throws Exception {
    NewTask task = failed("publish_listing", "draft-1");
    try (Connection one = open();
        Connection other = open()) {
      ControlResult first = retry(one, task);
      Future<ControlResult> later = second.submit(() -> retry(other, task));
      awaitBlocked();
      one.commit();

      assertThat(first).isInstanceOf(Changed.class);
      assertThat(later.get()).isEqualTo(new Unfit(OperationState.QUEUED));
      other.commit();
    }
    assertThat(count("onceward.operation_events")).isEqualTo(2);
    assertThat(count("onceward.outbox_events")).isEqualTo(2);
  }

  @Test
  void a_claim_that_comes_while_a_cancel_is_under_way_finds_it_final() throws Exception {
    NewTask task = queued("publish_listing", "draft-1");
    try (Connection one = open();
        Connection other = open()) {
      ControlResult cancelled = OperationControl.cancel(one, task.operationId());
      Future<ClaimResult> claim = second.submit(() -> claim(other, task));
      awaitBlocked();
      one.commit();

      assertThat(cancelled).isInstanceOf(Changed.class);
      assertThat(claim.get()).isEqualTo(new NotClaimed(ClaimResult.Reason.FINAL));
    }
  }

  @Test
  void a_cancel_that_comes_while_a_claim_is_under_way_finds_it_running() throws Exception {
    NewTask task = queued("publish_listing", "draft-1");
    try (Connection one = open();
        Connection other = open()) {
      ClaimResult claim = claim(one, task);
      Future<ControlResult> cancel =
          second.submit(() -> OperationControl.cancel(other, task.operationId()));
      awaitBlocked();
      one.commit();

      assertThat(claim).isInstanceOf(Claimed.class);
      assertThat(cancel.get()).isEqualTo(new Unfit(OperationState.RUNNING));
    }
  }

  @Test
  void a_step_of_an_attempt_holds_off_a_take_over_until_it_is_written() throws Exception {
    NewTask task = queued("sync_products", "store-1");
    Operation running;
    try (Connection one = open()) {
      running = ((Claimed) claim(one, task)).operation();
      one.commit();
    }
    superuser("UPDATE onceward.operations SET lease_expires_at = now()");
    try (Connection one = open();
        Connection other = open()) {
      assertThat(OperationClaims.holds(one, Lease.of(running))).isTrue();
      Future<ClaimResult> takeOver = second.submit(() -> claim(other, task));
      awaitBlocked();
      one.commit();

      assertThat(takeOver.get()).isInstanceOf(Claimed.class);
      other.commit();
      assertThat(OperationClaims.holds(one, Lease.of(running))).isFalse();
    }
  }

  @Test
  void an_attempt_from_before_a_retry_does_not_end_the_same_workers_attempt_after_it()
      throws Exception {
    NewTask task = queued("run_ai_task", "task-1");
    try (Connection one = open()) {
      Lease late = claimedBy("stalled", one, task.event().id());
      superuser("UPDATE onceward.operations SET lease_expires_at = now()");
      Lease second = claimedBy("another", one, task.event().id());
      assertThat(OperationFinishes.fail(one, second, "REFUSED", "No.")).isTrue();
      one.commit();
      Operation retried = ((Changed) retry(one, task)).operation();
      one.commit();
      Lease present = claimedBy("stalled", one, retried.eventId());
      assertThat(present.attempt()).isEqualTo(late.attempt());

      assertThat(OperationClaims.holds(one, late)).isFalse();
      assertThat(OperationClaims.renew(one, late, LEASE)).isFalse();
      assertThat(OperationClaims.handBack(one, late)).isFalse();
      assertThat(OperationFinishes.succeed(one, late, null)).isFalse();
      assertThat(OperationFinishes.fail(one, late, "REFUSED", "No.")).isFalse();
      assertThat(OperationFinishes.retryLater(one, late, Duration.ZERO, "AWAY", "Later."))
          .isEmpty();
      assertThat(OperationBatches.succeed(one, List.of(new OperationBatches.Success(late, null))))
          .isEmpty();
      assertThat(OperationFinishes.succeed(one, present, null)).isTrue();
      one.commit();
    }
  }

  private static Lease claimedBy(String owner, Connection connection, UUID eventId)
      throws SQLException {
    ClaimResult claim = OperationClaims.claim(connection, eventId, owner, LEASE);
    connection.commit();
    return Lease.of(((Claimed) claim).operation());
  }

  @ParameterizedTest
  @CsvSource({
    "publish_listing, draft, operations_one_publication_per_draft",
    "sync_products, store, operations_one_sync_per_store"
  })
  void whoever_makes_a_second_one_active_is_refused_by_the_index(
      String kind, String subjectType, String index) throws Exception {
    NewTask old = failed(kind, subjectType + "-1");
    NewTask newer = queued(kind, subjectType + "-1");
    var unused = queued(kind, subjectType + "-2");
    try (Connection one = open()) {
      refusedBy(index, () -> retry(one, old));
      one.rollback();
      refusedBy(index, () -> queued(kind, subjectType + "-1"));
    }
    // Also a statement that knows nothing of the rule.
    refusedBy(
        index,
        () ->
            superuser(
                "UPDATE onceward.operations SET state = 'queued', finished_at = NULL WHERE id = '%s'"
                    .formatted(old.operationId())));
    try (Connection one = open()) {
      assertThat(OperationControl.cancel(one, newer.operationId())).isInstanceOf(Changed.class);
      one.commit();
      assertThat(retry(one, old)).isInstanceOf(Changed.class);
      one.commit();
    }
    tenant = database.newTenant(); // where the same subject is another one
    assertThat(queued(kind, subjectType + "-1").kind()).isEqualTo(kind);
  }

  @Test
  void a_dead_operation_keeps_its_key_over_retries_and_a_failed_one_gets_a_new_one()
      throws Exception {
    NewTask task = queued("run_ai_task", "task-1");
    UUID firstEvent = task.event().id();
    setState(task, "dead");
    assertThat(retried(task).effectKey()).isEqualTo(firstEvent);
    setState(task, "dead");
    assertThat(retried(task).effectKey()).isEqualTo(firstEvent);
    setState(task, "failed");
    Operation afterRefusal = retried(task);
    assertThat(afterRefusal.effectKey()).isNull();
    setState(task, "dead");
    assertThat(retried(task).effectKey()).isEqualTo(afterRefusal.eventId());
    assertThat(count("onceward.operation_events")).isEqualTo(5);
  }

  @Test
  void the_event_of_a_failure_is_kept_once_in_its_workspace() throws Exception {
    NewTask task = failed("run_ai_task", "task-1");
    var unused = queued("run_ai_task", "task-2");
    setState(task, "queued");
    setState(task, "dead");
    assertThat(count("onceward.kept_events")).isEqualTo(1);

    Tenant other = database.newTenant();
    try (Connection connection = open()) {
      WorkspaceContext.set(connection, other.workspaceId());
      assertThat(visible(connection, "onceward.kept_events")).isZero();
      assertThat(retry(connection, task)).isEqualTo(new Unknown());
      assertThat(OperationControl.cancel(connection, task.operationId())).isEqualTo(new Unknown());
    }
  }

  private Operation retried(NewTask task) throws SQLException {
    try (Connection connection = open()) {
      Operation operation = ((Changed) retry(connection, task)).operation();
      connection.commit();
      return operation;
    }
  }

  private static ControlResult retry(Connection connection, NewTask task) throws SQLException {
    return OperationControl.retry(connection, task.operationId(), null, null, null);
  }

  private static ClaimResult claim(Connection connection, NewTask task) throws SQLException {
    return OperationClaims.claim(connection, task.event().id(), "a worker", LEASE);
  }

  private static void refusedBy(
      String index, org.assertj.core.api.ThrowableAssert.ThrowingCallable attempt) {
    assertThatThrownBy(attempt)
        .isInstanceOfSatisfying(
            SQLException.class,
            refused -> {
              assertThat(refused.getSQLState()).isEqualTo(SqlStates.UNIQUE_VIOLATION);
              assertThat(SqlStates.constraint(refused)).isEqualTo(index);
            });
  }

  private NewTask failed(String kind, String subjectId) throws SQLException {
    NewTask task = queued(kind, subjectId);
    setState(task, "failed");
    return task;
  }

  private NewTask queued(String kind, String subjectId) throws SQLException {
    NewTask task =
        NewTask.of(
            kind,
            NewEvent.of("thing.asked", "thing", subjectId, "{\"id\":\"" + subjectId + "\"}")
                .withResource("thing", subjectId));
    try (Connection connection = open()) {
      TaskWriter.append(connection, task);
      connection.commit();
    }
    return task;
  }

  private void setState(NewTask task, String state) throws SQLException {
    superuser(
        """
        UPDATE onceward.operations SET state = '%1$s', last_error_code = 'A_TEST',
          finished_at = CASE WHEN '%1$s' <> 'queued' THEN now() END WHERE id = '%2$s'
        """
            .formatted(state, task.operationId()));
  }

  /** A connection of the application's role inside a transaction of the workspace. */
  private Connection open() throws SQLException {
    Connection connection = database.connect("onceward_app");
    connection.setAutoCommit(false);
    WorkspaceContext.set(connection, tenant.workspaceId());
    try (Statement statement = connection.createStatement()) {
      // For the transactions after the first one, too.
      statement.execute(
          "SELECT set_config('app.workspace_id', '" + tenant.workspaceId() + "', false)");
    }
    connection.commit();
    return connection;
  }

  private void awaitBlocked() {
    await().atMost(Duration.ofSeconds(30)).until(() -> database.blockedAppConnections() == 1);
  }

  private long count(String from) throws SQLException {
    try (Connection connection = database.superuser()) {
      return visible(connection, from);
    }
  }

  private static long visible(Connection connection, String from) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + from)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
