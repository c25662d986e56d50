package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationState;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.worker.WorkerWorld.RunningWorker;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * While a synchronous standby is away a commit is in the log, and so on Kafka, but visible to
 * nobody.
 */
@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class SynchronousStandbyTest {

  private WorkerWorld world;
  private final ScriptedHandler handler = ScriptedHandler.quick();

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new WorkerWorld(server, topics, 1);
    // The shared test server need not be durable, and then nothing waits for a standby.
    execute("ALTER DATABASE %s SET synchronous_commit = 'on'".formatted(world.database().name()));
  }

  @AfterEach
  void close() throws Exception {
    standby("");
    world.close();
  }

  @Test
  void a_task_whose_row_nobody_can_see_yet_is_waited_for_and_succeeds() throws Exception {
    RunningWorker worker = world.start(handler);
    NewTask before = task("a");
    world.writeAndSend(before);
    world.awaitState(OperationState.SUCCEEDED, before);
    standby("absent");
    NewTask task = task("b");
    FutureTask<Boolean> commit =
        new FutureTask<>(
            () -> {
              world.write(task);
              return true;
            });
    new Thread(commit).start();
    await()
        .atMost(WorkerWorld.LIMIT)
        .until(
            () -> sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == 1);
    world.send(task);
    await()
        .atMost(WorkerWorld.LIMIT)
        .until(() -> world.get(worker, "/metrics").contains("reason=\"not_visible\""));
    assertThat(commit.isDone()).isFalse();
    assertThat(handler.calls(task.event().id())).isZero();

    standby("");
    assertThat(commit.get(30, TimeUnit.SECONDS)).isTrue();
    world.awaitState(OperationState.SUCCEEDED, task);
    assertThat(world.find(task).attempt()).isEqualTo(1);
    assertThat(world.get(worker, "/metrics").lines())
        .filteredOn(line -> line.startsWith("onceward_worker_dead_letters_total{"))
        .isNotEmpty()
        .allMatch(line -> line.endsWith(" 0.0"));
  }

  private void standby(String name) throws SQLException {
    execute("ALTER SYSTEM SET synchronous_standby_names = '" + name + "'");
    execute("SELECT pg_reload_conf()");
    await()
        .atMost(WorkerWorld.LIMIT)
        .until(
            () ->
                sql(
                        """
                        SELECT count(*) FROM pg_settings
                        WHERE name = 'synchronous_standby_names' AND setting = '%s'
                        """
                            .formatted(name))
                    == 1);
  }

  private void execute(String sql) throws SQLException {
    try (Connection superuser = world.database().superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }

  private long sql(String count) throws SQLException {
    try (Connection superuser = world.database().superuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(count)) {
      row.next();
      return row.getLong(1);
    }
  }
}
