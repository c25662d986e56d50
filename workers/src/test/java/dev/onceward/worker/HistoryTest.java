package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static dev.onceward.worker.WorkerWorld.withMaxAttempts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationState;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.worker.WorkerWorld.RunningWorker;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where reading begins, and what is read again. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(240)
class HistoryTest {

  private static final int FINISHED = 5_000;

  private WorkerWorld world;
  private final ScriptedHandler handler =
      new ScriptedHandler(
          attempt ->
              switch (attempt.event().envelope().aggregateId()) {
                case "fails" -> throw new PermanentTaskException("REFUSED", "No.");
                case "dies" -> throw new RetriableTaskException("AWAY", "Not now.");
                default -> HandlerResult.of(null);
              });

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new WorkerWorld(server, topics, 2);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  @Tag("S39")
  void the_whole_history_read_again_has_no_second_effect_and_holds_no_new_task_up(TestTopics topics)
      throws Exception {
    NewTask[] finished = tasks(FINISHED);
    NewTask fails = task("fails");
    NewTask dies = withMaxAttempts(task("dies"), 1);
    world.write(finished);
    world.write(fails, dies);
    world.sendAll(finished);
    world.sendAll(fails, dies);
    RunningWorker before = world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, finished);
    world.awaitState(OperationState.FAILED, fails);
    world.awaitState(OperationState.DEAD, dies);
    world.stop(before);
    String ends = fingerprint();
    String group = topics.prefix() + "workers";
    topics.admin().deleteConsumerGroups(List.of(group)).all().get();
    assertThat(world.committedTotal(group)).isZero();

    NewTask[] fresh = tasks(50);
    world.start(handler);
    world.write(fresh);
    world.sendAll(fresh);
    long sent = System.nanoTime();
    world.awaitState(OperationState.SUCCEEDED, fresh);
    assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(Duration.ofSeconds(10));
    await()
        .atMost(WorkerWorld.LIMIT)
        .until(() -> world.committedTotal(group) == FINISHED + 2 + fresh.length);
    assertThat(handler.calls()).hasSize(FINISHED + 2 + fresh.length).doesNotHaveDuplicates();
    delete(fresh);
    assertThat(fingerprint()).as("not a column has changed").isEqualTo(ends);
  }

  @Test
  @Tag("S37")
  void records_from_before_the_first_start_of_any_worker_are_read() throws Exception {
    NewTask[] early = tasks(20);
    world.write(early);
    world.sendAll(early);
    RunningWorker worker = world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, early);
    assertThat(missed(worker)).isEqualTo("0.0");
  }

  @Test
  @Tag("S37")
  void records_that_were_deleted_unread_are_reported_and_their_tasks_done_from_the_table(
      TestTopics topics) throws Exception {
    NewTask[] tasks = tasks(30);
    world.write(tasks);
    RunningWorker before = world.start(handler);
    send(tasks, 0, 5);
    world.awaitState(
        OperationState.SUCCEEDED, List.of(tasks).subList(0, 5).toArray(NewTask[]::new));
    world.stop(before);
    assertThat(world.committed(0)).isEqualTo(5);
    send(tasks, 5, 30);
    topics
        .admin()
        .deleteRecords(
            Map.of(new TopicPartition(world.topic(), 0), RecordsToDelete.beforeOffset(10)))
        .all()
        .get();

    RunningWorker after = world.start(handler);
    NewTask[] kept = List.of(tasks).subList(10, 30).toArray(NewTask[]::new);
    NewTask[] deleted = List.of(tasks).subList(5, 10).toArray(NewTask[]::new);
    world.awaitState(OperationState.SUCCEEDED, kept);
    assertThat(missed(after)).as("records 5 to 9").isEqualTo("5.0");
    execute(
        "INSERT INTO onceward.relay_state (relay, audited_snapshot) VALUES ('onceward', pg_current_snapshot())");
    execute(
        "UPDATE onceward.operations SET updated_at = now() - interval '3 minutes' WHERE state = 'queued'");
    world.awaitState(OperationState.SUCCEEDED, deleted);
    assertThat(handler.calls()).hasSize(30).doesNotHaveDuplicates();
  }

  private void send(NewTask[] tasks, int from, int to) throws Exception {
    for (NewTask task : List.of(tasks).subList(from, to)) {
      world.send(0, task);
    }
  }

  private String missed(RunningWorker worker) throws Exception {
    return world
        .get(worker, "/metrics")
        .lines()
        .filter(line -> line.startsWith("onceward_worker_records_missed_total"))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElseThrow();
  }

  private static NewTask[] tasks(int count) {
    return IntStream.range(0, count).mapToObj(i -> task("thing-" + i)).toArray(NewTask[]::new);
  }

  /** All columns of all operations in one number. */
  private String fingerprint() throws SQLException {
    try (Connection superuser = world.database().superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT md5(string_agg(o::text, ',' ORDER BY o.id)) FROM onceward.operations o")) {
      row.next();
      return row.getString(1);
    }
  }

  private void delete(NewTask... tasks) throws SQLException {
    for (NewTask task : tasks) {
      execute("DELETE FROM onceward.operations WHERE id = '" + task.operationId() + "'");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection superuser = world.database().superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }
}
