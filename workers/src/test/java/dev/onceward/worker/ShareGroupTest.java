package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.worker.WorkerWorld.RunningWorker;
import dev.onceward.worker.handle.HandlerResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What holds for a consumer group holds for a share group too, but for the order. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(180)
class ShareGroupTest {

  private static final String[] SHARE = {"onceward.worker.consumer", "share"};
  private static final Duration LOCK = Duration.ofSeconds(15); // the shortest that a broker allows

  private WorkerWorld world;
  private TestTopics topics;
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final ScriptedHandler handler =
      new ScriptedHandler(
          attempt -> {
            if (attempt.event().envelope().aggregateId().equals("slow")) {
              running.countDown();
              mayEnd.await();
            }
            return HandlerResult.of(null);
          });

  @BeforeEach
  void open(PostgresServer server, TestTopics testTopics) throws Exception {
    topics = testTopics;
    world = new WorkerWorld(server, topics, 1);
  }

  @AfterEach
  void close() throws Exception {
    mayEnd.countDown();
    world.close();
  }

  @Test
  @Tag("S37")
  @Tag("S39")
  void two_workers_share_one_partition_from_its_beginning_and_each_event_has_one_effect()
      throws Exception {
    NewTask[] early = tasks(200);
    world.write(early);
    world.sendAll(early);
    world.sendAll(early); // each comes twice anyway
    ScriptedHandler first = ScriptedHandler.quick();
    ScriptedHandler second = ScriptedHandler.quick();
    world.start(first, SHARE);
    world.start(second, SHARE);
    world.awaitState(OperationState.SUCCEEDED, early);
    await()
        .atMost(WorkerWorld.LIMIT)
        .until(
            () -> {
              NewTask[] more = tasks(50);
              world.write(more);
              world.sendAll(more);
              world.awaitState(OperationState.SUCCEEDED, more);
              return !first.calls().isEmpty() && !second.calls().isEmpty();
            });

    assertThat(first.calls()).doesNotHaveDuplicates().doesNotContainAnyElementsOf(second.calls());
    assertThat(second.calls()).doesNotHaveDuplicates();
    assertThat(world.findAll(early)).extracting(Operation::attempt).containsOnly(1);
  }

  @Test
  @Tag("S30")
  void work_that_outlasts_the_lock_holds_nobody_up_and_is_given_to_nobody_else() throws Exception {
    lockFor(LOCK);
    world.start(handler, SHARE);
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    long begun = System.nanoTime();
    world.start(handler, SHARE);
    NewTask[] quick = tasks(50);
    world.write(quick);
    world.sendAll(quick);
    world.awaitState(OperationState.SUCCEEDED, quick);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LOCK);
    mayEnd.countDown();
    world.awaitState(OperationState.SUCCEEDED, slow);
    assertThat(handler.calls()).hasSize(51).doesNotHaveDuplicates();
    assertThat(world.find(slow).attempt()).isEqualTo(1);
  }

  @Test
  void records_that_wait_here_for_longer_than_their_lock_are_renewed() throws Exception {
    lockFor(LOCK);
    RunningWorker worker =
        world.start(
            handler, "onceward.worker.consumer", "share", "onceward.worker.concurrency", "1");
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    NewTask waiting = task("waiting");
    world.writeAndSend(waiting);
    await().atMost(WorkerWorld.LIMIT).until(() -> waitsFor(worker, 1));
    // Whoever joins now is given what comes now, and would be given what is not renewed.
    ScriptedHandler other = ScriptedHandler.quick();
    world.start(other, "onceward.worker.consumer", "share");
    NewTask[] later = tasks(20);
    world.write(later);
    world.sendAll(later);
    world.awaitState(OperationState.SUCCEEDED, later);
    await()
        .pollDelay(LOCK.plusSeconds(4))
        .atMost(WorkerWorld.LIMIT)
        .until(() -> waitsFor(worker, 1));
    assertThat(other.calls()).hasSize(20).doesNotHaveDuplicates();
    mayEnd.countDown();
    world.awaitState(OperationState.SUCCEEDED, slow, waiting);
    assertThat(handler.calls()).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  @Tag("S40")
  void a_stopping_worker_gives_what_waits_and_what_runs_to_others() throws Exception {
    RunningWorker first =
        world.start(
            handler, "onceward.worker.consumer", "share", "onceward.worker.concurrency", "1");
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    NewTask[] waiting = tasks(20);
    world.write(waiting);
    world.sendAll(waiting);
    await().atMost(WorkerWorld.LIMIT).until(() -> !waitsFor(first, 0));
    world.stop(first);
    assertThat(world.state(slow)).isEqualTo(OperationState.QUEUED);
    assertThat(world.find(slow).attempt()).isZero();

    mayEnd.countDown();
    long begun = System.nanoTime();
    world.start(handler, SHARE);
    world.awaitState(OperationState.SUCCEEDED, slow);
    world.awaitState(OperationState.SUCCEEDED, waiting);
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .as("released, not waited out")
        .isLessThan(Duration.ofSeconds(25));
    assertThat(world.findAll(waiting)).extracting(Operation::attempt).containsOnly(1);
  }

  @Test
  @Tag("S31")
  @Tag("S32")
  void records_that_nobody_can_read_are_set_aside_once_each_and_the_others_go_on()
      throws Exception {
    world.send(0, "no-event".getBytes(UTF_8), "{".getBytes(UTF_8), List.of());
    world.send(0, null, "{}".getBytes(UTF_8), List.of());
    world.send(0, "no-event".getBytes(UTF_8), null, List.of());
    NewTask good = task("good");
    world.writeAndSend(good);
    RunningWorker worker = world.start(handler, SHARE);
    world.awaitState(OperationState.SUCCEEDED, good);
    await().atMost(WorkerWorld.LIMIT).until(() -> deadLetters(worker) == 3);
    await().atMost(WorkerWorld.LIMIT).until(() -> waitsFor(worker, 0));
    assertThat(deadLetters(worker)).isEqualTo(3);
  }

  private double deadLetters(RunningWorker worker) throws Exception {
    return world
        .get(worker, "/metrics")
        .lines()
        .filter(line -> line.startsWith("onceward_worker_dead_letters_total{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static boolean waitsFor(RunningWorker worker, int records) {
    return worker.health().report().json().contains("\"lag_records\":" + records);
  }

  private void lockFor(Duration lock) throws Exception {
    topics
        .admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.GROUP, topics.prefix() + "workers"),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry(
                            "share.record.lock.duration.ms", Long.toString(lock.toMillis())),
                        AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  private static NewTask[] tasks(int count) {
    return IntStream.range(0, count).mapToObj(i -> task("thing-" + i)).toArray(NewTask[]::new);
  }
}
