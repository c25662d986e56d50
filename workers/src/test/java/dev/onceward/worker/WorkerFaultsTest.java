package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static dev.onceward.worker.WorkerWorld.withMaxAttempts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Workers in processes of their own that are killed, stopped and continued. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class WorkerFaultsTest {

  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** 10,000 for the whole test: {@code -Donceward.test.race-tasks=10000}. */
  private static final int RACE_TASKS = Integer.getInteger("onceward.test.race-tasks", 1_000);

  private static final int RACE_FAULTS = Math.max(6, RACE_TASKS / 200);

  @TempDir private Path directory;
  private WorkerWorld world;
  private Journal journal;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new WorkerWorld(server, topics, 4);
    journal = Journal.of(world.database());
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  private FaultyWorkers workers(int each) {
    return new FaultyWorkers(
        world.settings(
            "onceward.worker.lease", "2s",
            "onceward.worker.lease-renewal", "500ms",
            "onceward.worker.concurrency", "8"),
        each,
        directory);
  }

  @Test
  @Tag("S34")
  @Tag("S36")
  @Tag("S39")
  void four_workers_that_are_killed_and_stopped_at_random_have_one_effect_for_each_task()
      throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    NewTask[] tasks =
        IntStream.range(0, RACE_TASKS)
            .mapToObj(i -> task((i % 2 == 0 ? "plain-" : "thing-") + i % 500))
            .map(task -> withMaxAttempts(task, 50))
            .toArray(NewTask[]::new);
    world.write(tasks);
    world.sendAll(tasks);
    world.sendAll(tasks); // each comes twice anyway
    try (FaultyWorkers workers = workers(2)) {
      List<ChildProcess> running = new ArrayList<>(List.of(workers.start(), workers.start()));
      for (int fault = 1; fault <= RACE_FAULTS; fault++) {
        long done = (long) RACE_TASKS * fault / (RACE_FAULTS + 2);
        await()
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(50))
            .until(() -> journal.succeeded() >= done);
        int victim = random.nextInt(running.size());
        if (random.nextBoolean()) {
          running.get(victim).kill();
          running.set(victim, workers.start());
        } else {
          stall(running.get(victim), random.nextLong(4_000));
        }
      }
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(journal.succeeded()).as("seed %d", seed).isEqualTo(tasks.length));
      journal.assertOnce(tasks);
    }
  }

  /** Stopped for a while that may be longer than a lease; the others go on meanwhile. */
  private static void stall(ChildProcess process, long millis) throws InterruptedException {
    process.suspend();
    TimeUnit.MILLISECONDS.sleep(millis); // is the fault itself, and waited for by nobody
    process.resume();
  }

  @Test
  @Tag("S36")
  void a_task_that_kills_its_process_each_time_is_dead_and_a_hundred_behind_it_are_done()
      throws Exception {
    NewTask killer = withMaxAttempts(task("killer"), 3);
    NewTask[] behind =
        IntStream.range(0, 100).mapToObj(i -> task("thing-" + i)).toArray(NewTask[]::new);
    world.write(killer);
    world.write(behind);
    world.send(0, killer);
    for (NewTask task : behind) {
      world.send(0, task);
    }
    try (FaultyWorkers workers = workers(1)) {
      ChildProcess process = workers.start();
      for (int kill = 1; kill <= 3; kill++) {
        assertThat(process.awaitExit(LIMIT)).as("kill %d", kill).isTrue();
        assertThat(process.exitCode()).hasValue(137);
        process = workers.start();
      }
      world.awaitState(OperationState.DEAD, killer);
      world.awaitState(OperationState.SUCCEEDED, behind);
    }

    assertThat(world.find(killer).attempt()).isEqualTo(3);
    assertThat(world.find(killer).lastErrorCode()).isEqualTo("LEASE_EXPIRED");
    journal.assertLegal();
    assertThat(journal.count("test.effects")).isEqualTo(behind.length);
  }

  @Test
  @Tag("S35")
  void a_process_killed_between_effect_and_commit_repeats_no_effect(KafkaBroker kafka)
      throws Exception {
    NewTask task = task("slow");
    try (FaultyWorkers workers = workers(1)) {
      ChildProcess process = workers.start();
      world.writeAndSend(task);
      world.awaitState(OperationState.RUNNING, task);
      kafka.suspend();
      try {
        world.awaitState(OperationState.SUCCEEDED, task);
        process.kill();
      } finally {
        kafka.resume();
      }
      assertThat(committed()).as("the broker heard of nothing").isZero();
      workers.start();
      await().atMost(LIMIT).until(() -> committed() == 1);
    }
    journal.assertOnce(task);
    assertThat(journal.count("test.calls")).isEqualTo(1);
    assertThat(world.find(task).attempt()).isEqualTo(1);
  }

  private long committed() {
    return IntStream.range(0, 4).mapToLong(world::committed).sum();
  }

  @Test
  @Tag("S40")
  void a_rolling_restart_under_load_leaves_nothing_running_and_repeats_nothing() throws Exception {
    List<NewTask> sent = new ArrayList<>();
    try (FaultyWorkers workers = workers(1)) {
      List<ChildProcess> running = new ArrayList<>(List.of(workers.start(), workers.start()));
      for (int restart = 0; restart < 4; restart++) {
        int before = sent.size();
        await()
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(50)) // 20 events a second
            .until(
                () -> {
                  NewTask task = task((sent.size() % 5 == 0 ? "slow-" : "thing-") + sent.size());
                  world.writeAndSend(task);
                  sent.add(task);
                  return sent.size() >= before + 40 && journal.succeeded() > before;
                });
        ChildProcess leaving = running.remove(0);
        assertThat(leaving.stop(Duration.ofSeconds(25))).as("ends within the grace time").isTrue();
        assertThat(leaving.exitCode()).hasValue(0);
        assertThat(
                journal.count(
                    "onceward.operations WHERE state = 'running' AND lease_owner LIKE '%d@%%'"
                        .formatted(leaving.pid())))
            .as("left running by the process that ended")
            .isZero();
        running.add(workers.start());
      }
      NewTask[] all = sent.toArray(NewTask[]::new);
      world.awaitState(OperationState.SUCCEEDED, all);
      journal.assertOnce(all);
      assertThat(world.findAll(all)).extracting(Operation::attempt).containsOnly(1);
    }
  }
}
