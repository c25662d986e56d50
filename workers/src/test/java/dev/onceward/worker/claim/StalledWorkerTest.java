package dev.onceward.worker.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.Database;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.TaskAttempt;
import dev.onceward.worker.handle.TaskEvent;
import dev.onceward.worker.retry.Backoff;
import dev.onceward.worker.retry.DatabaseStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.TracerProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers whose renewals stand still, as in a paused process or behind a broken network. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(60)
class StalledWorkerTest {

  private static final Duration NEVER = Duration.ofHours(1);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0);

  private MigratedDatabase database;
  private Database app;
  private Tenant tenant;
  private TaskEvent event;
  private NewTask task;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  @BeforeEach
  void write(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    app = database.app();
    tenant = database.newTenant();
    task = NewTask.of("do_thing", NewEvent.of("thing.wanted", "thing", "a", "{}"));
    app.inWorkspace(
        tenant.workspaceId(),
        connection -> {
          TaskWriter.append(connection, task);
          return true;
        });
    event =
        app.inWorkspace(
            tenant.workspaceId(),
            connection ->
                new TaskEvent(
                    OutboxReader.find(connection, task.event().id()).orElseThrow().toEnvelope(),
                    null));
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  @Tag("S39")
  void a_worker_that_wakes_after_its_lease_changes_nothing() throws Exception {
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch wakes = new CountDownLatch(1);
    TaskProcessor sleeper = processor("sleeper", Duration.ofMillis(300), NEVER);
    TaskProcessor other = processor("other", Duration.ofSeconds(30), NEVER);
    FutureTask<TaskResult> late =
        inBackground(
            () ->
                sleeper.process(
                    event,
                    handler(
                        attempt -> {
                          stalled.countDown();
                          wakes.await();
                          return writing("late");
                        }),
                    () -> {}));
    assertThat(stalled.await(30, TimeUnit.SECONDS)).isTrue();
    awaitTaken(other, handler(attempt -> writing("in time")));
    Operation done = operation();
    wakes.countDown();

    assertThat(late.get(30, TimeUnit.SECONDS)).isEqualTo(TaskResult.SETTLED);
    assertThat(operation()).isEqualTo(done);
    assertThat(done.state()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(done.result()).isEqualTo("{\"by\":\"in time\"}");
    assertThat(done.attempt()).isEqualTo(2);
    assertThat(storeNames()).as("its own writes are gone too").isEqualTo("in time");
    assertThat(
            metrics.counter("onceward.worker.lease.losses", "event_type", "thing.wanted").count())
        .isEqualTo(1);
  }

  @Test
  void a_lease_that_nobody_took_over_may_be_finished_late() throws Exception {
    TaskProcessor slow = processor("slow", Duration.ofMillis(100), NEVER);
    TaskResult result =
        slow.process(
            event,
            handler(
                attempt -> {
                  awaitExpired();
                  return writing("slow");
                }),
            () -> {});

    assertThat(result).isEqualTo(TaskResult.SETTLED);
    assertThat(operation().state()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(operation().attempt()).isEqualTo(1);
  }

  @Test
  void a_lease_that_is_renewed_is_not_taken_however_long_the_work_is() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    TaskProcessor worker = processor("worker", Duration.ofSeconds(2), Duration.ofMillis(100));
    TaskProcessor other = processor("other", Duration.ofSeconds(30), NEVER);
    worker.start();
    FutureTask<TaskResult> work =
        inBackground(
            () ->
                worker.process(
                    event,
                    handler(
                        attempt -> {
                          running.countDown();
                          mayEnd.await();
                          return writing("worker");
                        }),
                    () -> {}));
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    Operation claimed = operation();
    // Twice renewed past the end of the first lease, and still nobody else's.
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> sql("SELECT now() > '" + claimed.leaseExpiresAt() + "'::timestamptz"));
    assertThat(other.takeUp(event, handler(attempt -> writing("other"))))
        .isEqualTo(TaskResult.SETTLED);
    mayEnd.countDown();

    assertThat(work.get(30, TimeUnit.SECONDS)).isEqualTo(TaskResult.SETTLED);
    assertThat(operation().result()).isEqualTo("{\"by\":\"worker\"}");
    assertThat(operation().attempt()).isEqualTo(1);
    worker.close();
  }

  @Test
  void a_handler_is_interrupted_when_its_lease_turns_out_to_be_lost() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    TaskProcessor worker = processor("worker", Duration.ofSeconds(1), Duration.ofSeconds(2));
    FutureTask<TaskResult> work =
        inBackground(
            () ->
                worker.process(
                    event,
                    handler(
                        attempt -> {
                          running.countDown();
                          try {
                            never.await();
                          } catch (InterruptedException over) {
                            assertThat(attempt.isOver()).isTrue();
                            interrupted.countDown();
                            throw over;
                          }
                          return writing("worker");
                        }),
                    () -> {}));
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    awaitTaken(
        processor("other", Duration.ofSeconds(30), NEVER), handler(attempt -> writing("other")));
    worker.start();

    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(work.get(30, TimeUnit.SECONDS)).isEqualTo(TaskResult.SETTLED);
    assertThat(operation().result()).isEqualTo("{\"by\":\"other\"}");
    worker.close();
  }

  private TaskProcessor processor(String owner, Duration lease, Duration renewal) {
    return new TaskProcessor(
        app,
        owner,
        new TaskTimes(lease, renewal, Duration.ofSeconds(60), BACKOFF),
        100,
        new DatabaseStatus(),
        new TaskMetrics(metrics),
        new TaskTraces(TracerProvider.noop().get("test")));
  }

  private interface Script {
    HandlerResult run(TaskAttempt attempt) throws Exception;
  }

  private static EventHandler handler(Script script) {
    return new EventHandler() {
      @Override
      public Collection<HandledType> handledTypes() {
        return List.of();
      }

      @Override
      public HandlerResult handle(TaskAttempt attempt) throws Exception {
        return script.run(attempt);
      }
    };
  }

  /** Writes a business row in the finishing transaction. */
  private HandlerResult writing(String who) {
    return connection -> {
      try (var statement =
          connection.prepareStatement(
              "INSERT INTO onceward.stores (id, platform, external_id, name, credentials)"
                  + " VALUES (onceward.uuid_v7(), 'shopline', ?, ?, '\\x00')")) {
        statement.setString(1, who);
        statement.setString(2, who);
        statement.executeUpdate();
      }
      return "{\"by\":\"" + who + "\"}";
    };
  }

  private String storeNames() throws SQLException {
    try (Connection superuser = database.superuser();
        var statement = superuser.createStatement();
        var row = statement.executeQuery("SELECT string_agg(name, ',') FROM onceward.stores")) {
      row.next();
      return row.getString(1);
    }
  }

  private boolean sql(String question) throws SQLException {
    try (Connection superuser = database.superuser();
        var statement = superuser.createStatement();
        var row = statement.executeQuery(question)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private void awaitExpired() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> sql("SELECT lease_expires_at < now() FROM onceward.operations"));
  }

  private void awaitTaken(TaskProcessor taker, EventHandler handler) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              taker.takeUp(event, handler);
              return operation().state() == OperationState.SUCCEEDED;
            });
  }

  private Operation operation() throws SQLException {
    return app.inWorkspace(
            tenant.workspaceId(), connection -> OperationStore.find(connection, task.operationId()))
        .orElseThrow();
  }

  private static <T> FutureTask<T> inBackground(Callable<T> work) {
    FutureTask<T> future = new FutureTask<>(work);
    new Thread(future).start();
    return future;
  }
}
