package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
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
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class MembershipTest {

  private static final Duration MAX_POLL_INTERVAL = Duration.ofSeconds(2);

  private WorkerWorld world;
  private TestTopics topics;
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  /** Holds up the task of the aggregate {@code slow} until the test lets it end. */
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
    world = new WorkerWorld(server, topics, 2);
  }

  @AfterEach
  void close() throws Exception {
    mayEnd.countDown();
    world.close();
  }

  @Test
  @Tag("S30")
  void work_that_outlasts_the_poll_interval_costs_nobody_the_membership() throws Exception {
    String[] impatient = {
      "onceward.kafka.max.poll.interval.ms",
      Long.toString(MAX_POLL_INTERVAL.toMillis()),
      "onceward.worker.buffer-records",
      "1"
    };
    world.start(handler, impatient);
    world.start(handler, impatient);
    await()
        .atMost(WorkerWorld.LIMIT)
        .until(() -> members().values().stream().filter(held -> held.size() == 1).count() == 2);
    Map<String, Set<Integer>> before = members();
    NewTask slow = task("slow");
    NewTask[] quick = quick(50);
    world.writeAndSend(slow);
    world.writeAndSend(quick);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    await()
        .pollDelay(MAX_POLL_INTERVAL.multipliedBy(3))
        .atMost(WorkerWorld.LIMIT)
        .untilAsserted(() -> assertThat(members()).isEqualTo(before));
    assertThat(world.state(slow)).isEqualTo(OperationState.RUNNING);
    mayEnd.countDown();
    world.awaitState(OperationState.SUCCEEDED, slow);
    world.awaitState(OperationState.SUCCEEDED, quick);

    assertThat(handler.calls()).hasSize(51);
    assertThat(world.findAll(quick)).extracting(Operation::attempt).containsOnly(1);
    assertThat(world.find(slow).attempt()).isEqualTo(1);
    assertThat(members()).as("nobody left and nothing moved").isEqualTo(before);
  }

  @Test
  @Tag("S34")
  void the_topic_offset_of_unfinished_work_is_not_passed_by_finished_work_behind_it()
      throws Exception {
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    world.start(handler);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    NewTask[] quick = quick(50);
    world.writeAndSend(quick);
    world.awaitState(OperationState.SUCCEEDED, quick);
    // The partition without the slow one is committed to its end; so commits have been made.
    await().until(() -> world.committed(0) + world.committed(1) > 0);
    assertThat(Math.min(world.committed(0), world.committed(1))).isZero();

    mayEnd.countDown();
    world.awaitState(OperationState.SUCCEEDED, slow);
    await().until(() -> world.committed(0) + world.committed(1) == 51);
  }

  @Test
  @Tag("S40")
  void a_stopping_worker_finishes_what_runs_and_leaves_the_rest_to_others() throws Exception {
    RunningWorker first = world.start(handler, "onceward.worker.concurrency", "1");
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    NewTask[] waiting = quick(20);
    world.writeAndSend(waiting);
    await().until(() -> !first.health().report().json().contains("\"lag_records\":0"));
    Thread stop =
        new Thread(
            () -> {
              try {
                world.stop(first);
              } catch (InterruptedException impossible) {
                Thread.currentThread().interrupt();
              }
            });
    stop.start();
    await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
    mayEnd.countDown();
    stop.join(WorkerWorld.GRACE.toMillis());

    assertThat(stop.isAlive()).isFalse();
    assertThat(world.state(slow)).isEqualTo(OperationState.SUCCEEDED);
    assertThat(members()).as("it left the group").isEmpty();
    assertThat(world.committed(0) + world.committed(1))
        .as("what was finished is committed, and nothing else")
        .isEqualTo(handler.calls().size());
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, waiting);
    assertThat(handler.calls()).hasSize(21).doesNotHaveDuplicates();
  }

  @Test
  @Tag("S40")
  void what_does_not_end_in_time_goes_back_and_its_attempt_does_not_count() throws Exception {
    RunningWorker first = world.start(handler);
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    long begun = System.nanoTime();
    world.stop(first);

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(WorkerWorld.GRACE);
    Operation back = world.find(slow);
    assertThat(back.state()).isEqualTo(OperationState.QUEUED);
    assertThat(back.attempt()).isZero();
    assertThat(world.committed(0) + world.committed(1)).isZero();
    mayEnd.countDown();
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, slow);
    assertThat(world.find(slow).attempt()).isEqualTo(1);
  }

  @Test
  @Tag("S40")
  void what_goes_back_is_taken_up_although_its_record_was_acknowledged_elsewhere()
      throws Exception {
    RunningWorker first = world.start(handler);
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    // Another group plays the worker that got the partition meanwhile.
    String group = world.topic() + "-others";
    world.start(ScriptedHandler.quick(), "onceward.worker.group-id", group);
    await().atMost(WorkerWorld.LIMIT).until(() -> world.committedTotal(group) == 1);
    world.stop(first);
    world.awaitState(OperationState.SUCCEEDED, slow);
  }

  @Test
  void a_partition_that_moves_leaves_running_work_alone() throws Exception {
    world.start(handler, "onceward.worker.drain", "100ms");
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    for (int more = 0; more < 2; more++) {
      world.start(handler, "onceward.worker.drain", "100ms");
    }
    await()
        .atMost(WorkerWorld.LIMIT)
        .until(() -> members().values().stream().filter(held -> held.size() == 1).count() == 2);
    NewTask[] quick = quick(20);
    world.writeAndSend(quick);
    world.awaitState(OperationState.SUCCEEDED, quick);
    assertThat(world.state(slow)).isEqualTo(OperationState.RUNNING);
    mayEnd.countDown();
    world.awaitState(OperationState.SUCCEEDED, slow);

    assertThat(handler.calls(slow.event().id())).isEqualTo(1);
    assertThat(world.find(slow).attempt()).isEqualTo(1);
  }

  private static NewTask[] quick(int count) {
    return IntStream.range(0, count).mapToObj(i -> task("thing-" + i)).toArray(NewTask[]::new);
  }

  /** The partitions that each member of the group holds. */
  private Map<String, Set<Integer>> members() throws Exception {
    String group = topics.prefix() + "workers";
    ConsumerGroupDescription description =
        List.copyOf(topics.admin().describeConsumerGroups(Set.of(group)).all().get().values())
            .get(0);
    return description.members().stream()
        .collect(
            Collectors.toMap(
                MemberDescription::consumerId,
                member ->
                    member.assignment().topicPartitions().stream()
                        .map(partition -> partition.partition())
                        .collect(Collectors.toSet())));
  }
}
