package dev.onceward.db.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.Database;
import dev.onceward.db.UuidV7;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.operation.ClaimResult.Claimed;
import dev.onceward.db.operation.ClaimResult.NotClaimed;
import dev.onceward.db.operation.ClaimResult.Reason;
import dev.onceward.db.operation.OperationBatches.Success;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.secret.SecretFoundException;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class OperationBatchesTest {

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
  @Tag("S39")
  void a_batch_claims_what_is_free_and_says_of_each_other_one_why_not() throws SQLException {
    Map<String, NewTask> tasks = new HashMap<>();
    for (String name :
        List.of("queued", "due", "not due", "running", "expired", "used up", "done", "dead")) {
      tasks.put(name, append());
    }
    String waiting =
        "state = 'waiting_retry', attempt = 1, last_error_code = 'X', next_attempt_at = now() + interval ";
    String running =
        "state = 'running', lease_owner = 'other', lease_expires_at = now() + interval ";
    set(of(tasks, "due"), waiting + "'-1 s'");
    set(of(tasks, "not due"), waiting + "'1 h'");
    set(of(tasks, "running"), running + "'1 h', attempt = 1");
    set(of(tasks, "expired"), running + "'-1 s', attempt = 1");
    set(of(tasks, "used up"), running + "'-1 s', attempt = 8");
    set(of(tasks, "done"), "state = 'succeeded', attempt = 1, finished_at = now()");
    set(
        of(tasks, "dead"),
        "state = 'dead', attempt = 8, last_error_code = 'X', finished_at = now()");
    List<UUID> events = new ArrayList<>(tasks.values().stream().map(t -> t.event().id()).toList());
    UUID unknown = UuidV7.next();
    events.add(unknown);

    Map<UUID, ClaimResult> answers = claim(events);

    assertThat(answers).hasSize(events.size());
    assertThat(claimed(answers, of(tasks, "queued")).attempt()).isEqualTo(1);
    assertThat(claimed(answers, of(tasks, "due")).attempt()).isEqualTo(2);
    assertThat(claimed(answers, of(tasks, "due")).leaseOwner()).isEqualTo("worker");
    assertThat(reason(answers, of(tasks, "not due"))).isEqualTo(Reason.NOT_DUE);
    assertThat(reason(answers, of(tasks, "running"))).isEqualTo(Reason.RUNNING_ELSEWHERE);
    assertThat(reason(answers, of(tasks, "expired"))).isEqualTo(Reason.LEASE_EXPIRED);
    assertThat(reason(answers, of(tasks, "used up"))).isEqualTo(Reason.ATTEMPTS_USED_UP);
    assertThat(reason(answers, of(tasks, "done"))).isEqualTo(Reason.FINAL);
    assertThat(reason(answers, of(tasks, "dead"))).isEqualTo(Reason.FINAL);
    assertThat(answers.get(unknown)).isEqualTo(new NotClaimed(Reason.NOT_VISIBLE));
    assertThat(find(of(tasks, "expired")).attempt()).isEqualTo(1);
  }

  @Test
  @Tag("S39")
  void a_batch_waits_for_nobody() throws SQLException {
    NewTask held = append();
    NewTask free = append();
    try (Connection other = database.connect("onceward_app")) {
      other.setAutoCommit(false);
      WorkspaceContext.set(other, tenant.workspaceId());
      assertThat(OperationClaims.claim(other, held.event().id(), "other", LEASE))
          .isInstanceOf(Claimed.class);

      Map<UUID, ClaimResult> answers = claim(List.of(held.event().id(), free.event().id()));

      assertThat(reason(answers, held)).isEqualTo(Reason.QUEUED);
      assertThat(claimed(answers, free).attempt()).isEqualTo(1);
      other.commit();
    }
    assertThat(find(held).leaseOwner()).isEqualTo("other");
  }

  @Test
  void a_batch_sees_its_own_workspace_only() throws SQLException {
    NewTask ours = append();
    Tenant others = database.newTenant();
    Map<UUID, ClaimResult> answers =
        app.inWorkspace(
            others.workspaceId(),
            connection ->
                OperationBatches.claimFresh(
                    connection, List.of(ours.event().id()), "worker", LEASE));
    assertThat(reason(answers, ours)).isEqualTo(Reason.NOT_VISIBLE);
  }

  @Test
  @Tag("S39")
  void of_successes_those_whose_lease_was_lost_change_nothing() throws SQLException {
    NewTask kept = append();
    NewTask takenOver = append();
    Map<UUID, ClaimResult> answers = claim(List.of(kept.event().id(), takenOver.event().id()));
    Lease keptLease = Lease.of(claimed(answers, kept));
    Lease lostLease = Lease.of(claimed(answers, takenOver));
    set(takenOver, "attempt = 2, lease_owner = 'other'");

    Set<UUID> held =
        app.inWorkspace(
            tenant.workspaceId(),
            connection ->
                OperationBatches.succeed(
                    connection,
                    List.of(new Success(keptLease, "{\"n\": 1}"), new Success(lostLease, null))));

    assertThat(held).containsExactly(kept.operationId());
    assertThat(find(kept).state()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(find(kept).result()).isEqualTo("{\"n\": 1}");
    assertThat(find(takenOver).state()).isEqualTo(OperationState.RUNNING);
    assertThat(find(takenOver).leaseOwner()).isEqualTo("other");
  }

  @Test
  void one_result_with_a_secret_or_without_form_refuses_the_whole_batch() throws SQLException {
    NewTask one = append();
    NewTask two = append();
    Map<UUID, ClaimResult> answers = claim(List.of(one.event().id(), two.event().id()));
    Lease first = Lease.of(claimed(answers, one));
    Lease second = Lease.of(claimed(answers, two));
    for (String bad : List.of("{\"password\":\"hunter2hunter2\"}", "{")) {
      assertThatThrownBy(
              () ->
                  app.inWorkspace(
                      tenant.workspaceId(),
                      connection ->
                          OperationBatches.succeed(
                              connection,
                              List.of(new Success(first, "{}"), new Success(second, bad)))))
          .isInstanceOfAny(SecretFoundException.class, SQLException.class);
    }
    assertThat(find(one).state()).isEqualTo(OperationState.RUNNING);
  }

  private Map<UUID, ClaimResult> claim(List<UUID> events) throws SQLException {
    return app.inWorkspace(
        tenant.workspaceId(),
        connection -> OperationBatches.claimFresh(connection, events, "worker", LEASE));
  }

  private static Operation claimed(Map<UUID, ClaimResult> answers, NewTask task) {
    return ((Claimed) Objects.requireNonNull(answers.get(task.event().id()))).operation();
  }

  private static Reason reason(Map<UUID, ClaimResult> answers, NewTask task) {
    return ((NotClaimed) Objects.requireNonNull(answers.get(task.event().id()))).reason();
  }

  private static NewTask of(Map<String, NewTask> tasks, String name) {
    return Objects.requireNonNull(tasks.get(name));
  }

  private NewTask append() throws SQLException {
    NewTask task = NewTask.of("check_it", NewEvent.of("thing.checked", "thing", "1", "{}"));
    app.runInWorkspace(tenant.workspaceId(), connection -> TaskWriter.append(connection, task));
    return task;
  }

  private Operation find(NewTask task) throws SQLException {
    return app.inWorkspace(
            tenant.workspaceId(), connection -> OperationStore.find(connection, task.operationId()))
        .orElseThrow();
  }

  private void set(NewTask task, String columns) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(
          "UPDATE onceward.operations SET %s WHERE id = '%s'"
              .formatted(columns, task.operationId()));
    }
  }
}
