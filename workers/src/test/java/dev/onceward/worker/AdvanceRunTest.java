package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.flow.Flow;
import dev.onceward.db.flow.FlowWriter;
import dev.onceward.db.flow.Run;
import dev.onceward.db.flow.RunState;
import dev.onceward.db.flow.RunStore;
import dev.onceward.db.flow.Todo;
import dev.onceward.db.flow.TodoStore;
import dev.onceward.db.operation.ClaimResult;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationClaims;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.route.OutboxRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs, from their start to their end, as a worker takes them on. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class AdvanceRunTest {

  private static final Duration LIMIT = WorkerWorld.LIMIT;
  private static final String LISTING = "{\"listing_id\":\"l-1\",\"title\":\"A lamp\"}";

  private PlatformWorld world;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new PlatformWorld(server, topics, FlowWriter.AGGREGATE);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void a_run_waits_for_its_to_do_and_ends_as_it_is_decided_however_often_its_events_come()
      throws Exception {
    Run run = start(Flow.LISTING_REVIEW, LISTING);
    send(run.operationId());
    send(run.operationId());
    Todo todo = awaitTodo(run);
    send(run.operationId());

    UUID resolution = resolve(todo, "approve");
    send(resolution);
    send(resolution);
    awaitState(resolution, OperationState.SUCCEEDED);
    send(run.operationId());
    Run other = start(Flow.LISTING_REVIEW, LISTING);
    send(other.operationId());
    awaitTodo(other);

    Run ended = find(run);
    assertThat(ended.state()).isEqualTo(RunState.ENDED);
    assertThat(ended.outcome()).isEqualTo("approved");
    assertThat(operation(resolution).result())
        .isEqualTo("{\"state\":\"ended\",\"outcome\":\"approved\"}");
    assertThat(events(run))
        .containsExactly("run.started", "todo.created", "todo.resolved", "run.ended");
  }

  @Test
  void a_run_whose_worker_died_at_either_step_is_taken_on_once() throws Exception {
    Run run = start(Flow.LISTING_REVIEW, LISTING);
    claimAndDie(run.operationId());
    send(run.operationId()); // finds it running elsewhere
    Todo todo = awaitTodo(run);
    assertThat(operation(run.operationId()).attempt()).isEqualTo(2);

    UUID resolution = resolve(todo, "reject");
    claimAndDie(resolution);
    send(resolution);
    awaitState(resolution, OperationState.SUCCEEDED);

    assertThat(operation(resolution).attempt()).isEqualTo(2);
    assertThat(find(run).outcome()).isEqualTo("rejected");
    assertThat(events(run))
        .containsExactly("run.started", "todo.created", "todo.resolved", "run.ended");
  }

  @Test
  void a_step_that_another_has_taken_meanwhile_changes_nothing() throws Exception {
    Run run = start(Flow.LISTING_REVIEW, LISTING);
    world.inWorkspace(
        connection -> FlowWriter.awaitTodo(connection, run.id(), "approve", event -> event));

    send(run.operationId());
    awaitState(run.operationId(), OperationState.SUCCEEDED);

    assertThat(operation(run.operationId()).result()).isEqualTo("{\"outcome\":\"superseded\"}");
    assertThat(events(run)).containsExactly("run.started", "todo.created");
  }

  @Test
  void a_check_ends_with_what_is_known_of_the_store() throws Exception {
    Run known = start(Flow.STORE_CHECK, "{\"store_id\":\"%s\"}".formatted(world.storeId()));
    Run unknown = start(Flow.STORE_CHECK, "{\"store_id\":\"%s\"}".formatted(UUID.randomUUID()));
    for (Run run : List.of(known, unknown)) {
      send(run.operationId());
      awaitState(run.operationId(), OperationState.SUCCEEDED);
    }

    assertThat(find(known).outcome()).isEqualTo("pending");
    assertThat(find(unknown).outcome()).isEqualTo("missing");
    assertThat(events(unknown)).containsExactly("run.started", "run.ended");
  }

  @Test
  void what_no_attempt_can_mend_fails_at_once() throws Exception {
    Run noStore = start(Flow.STORE_CHECK, "{\"store_id\":7}");
    Run unknownFlow = start(Flow.STORE_CHECK, "{}");
    execute(
        "UPDATE onceward.runs SET flow = 'of_tomorrow' WHERE id = '%s'"
            .formatted(unknownFlow.id()));
    NewTask nobody =
        PlatformWorld.task(
            FlowWriter.ADVANCE_RUN,
            NewEvent.of(
                FlowWriter.RUN_STARTED,
                FlowWriter.AGGREGATE,
                "x",
                "{\"run_id\":\"%s\",\"flow\":\"store_check\"}".formatted(UUID.randomUUID())));
    world.world().writeAndSend(nobody);
    send(noStore.operationId());
    send(unknownFlow.operationId());

    assertThat(failure(noStore.operationId())).isEqualTo("RUN_INPUT_INVALID");
    assertThat(failure(unknownFlow.operationId())).isEqualTo("FLOW_UNKNOWN");
    assertThat(failure(nobody.operationId())).isEqualTo("RUN_NOT_FOUND");
    assertThat(find(noStore).state()).isEqualTo(RunState.RUNNING);
  }

  private Run start(Flow flow, String input) throws SQLException {
    return world.inWorkspace(
        connection -> FlowWriter.start(connection, flow, input, null, event -> event));
  }

  /** Resolves as the API does; returns the operation that takes the run on. */
  private UUID resolve(Todo todo, String decision) throws SQLException {
    return Objects.requireNonNull(
        world
            .inWorkspace(
                connection ->
                    FlowWriter.resolve(connection, todo, decision, null, null, event -> event))
            .orElseThrow()
            .operationId());
  }

  private void send(UUID operationId) throws Exception {
    UUID eventId = operation(operationId).eventId();
    OutboxRow row =
        world.inWorkspace(connection -> OutboxReader.find(connection, eventId).orElseThrow());
    world.world().send(row);
  }

  /** What a worker leaves behind that is killed while it works. */
  private void claimAndDie(UUID operationId) throws SQLException {
    UUID eventId = operation(operationId).eventId();
    assertThat(
            world.<ClaimResult>inWorkspace(
                connection ->
                    OperationClaims.claim(connection, eventId, "dead", Duration.ofSeconds(1))))
        .isInstanceOf(ClaimResult.Claimed.class);
  }

  private Todo awaitTodo(Run run) throws SQLException {
    awaitState(run.operationId(), OperationState.SUCCEEDED);
    assertThat(find(run).state()).isEqualTo(RunState.WAITING);
    List<Todo> todos =
        world.inWorkspace(connection -> TodoStore.list(connection, null, null, 100)).stream()
            .filter(todo -> todo.runId().equals(run.id()))
            .toList();
    assertThat(todos).hasSize(1);
    return todos.get(0);
  }

  private void awaitState(UUID operationId, OperationState state) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(operation(operationId).state()).isEqualTo(state));
  }

  private String failure(UUID operationId) throws SQLException {
    awaitState(operationId, OperationState.FAILED);
    return String.valueOf(operation(operationId).lastErrorCode());
  }

  private Operation operation(UUID id) throws SQLException {
    return world.inWorkspace(connection -> OperationStore.find(connection, id).orElseThrow());
  }

  private Run find(Run run) throws SQLException {
    return world.inWorkspace(connection -> RunStore.find(connection, run.id()).orElseThrow());
  }

  private List<String> events(Run run) throws SQLException {
    List<String> types = new ArrayList<>();
    try (Connection superuser = world.world().database().superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT event_type FROM onceward.outbox_events WHERE aggregate_id = '%s' ORDER BY id"
                    .formatted(run.id()))) {
      while (row.next()) {
        types.add(row.getString(1));
      }
    }
    return types;
  }

  private void execute(String sql) throws SQLException {
    try (Connection superuser = world.world().database().superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }
}
