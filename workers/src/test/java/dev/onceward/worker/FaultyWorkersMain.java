package dev.onceward.worker;

import dev.onceward.process.HealthChecks;
import dev.onceward.process.ProcessRunner;
import dev.onceward.process.Shutdown;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.TaskAttempt;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process with workers that tests kill and stop; the system property {@code test.workers} says
 * how many. What a task does is said by the name of its aggregate: {@code killer} ends the process
 * at once, {@code slow…} takes a second, {@code plain…} leaves only its end, everything else also
 * leaves a row in {@code test.effects} by the finishing transaction.
 */
final class FaultyWorkersMain {

  private FaultyWorkersMain() {}

  /** Runs until SIGTERM. */
  public static void main(String[] arguments) {
    new ProcessRunner("faulty-workers", "Workers for tests.")
        .runAndExit(arguments, WorkerConfig::from, FaultyWorkersMain::run);
  }

  private static void run(WorkerConfig config, Shutdown shutdown) throws Exception {
    List<Worker> workers = new ArrayList<>();
    try {
      for (int i = 0; i < Integer.getInteger("test.workers", 1); i++) {
        Worker worker =
            new Worker(
                config,
                List.of(new ScriptedHandler(FaultyWorkersMain::handle)),
                new HealthChecks());
        workers.add(worker);
        worker.start(shutdown::isRequested);
      }
      shutdown.await();
    } finally {
      stop(workers, shutdown);
    }
  }

  private static void stop(List<Worker> workers, Shutdown shutdown) throws InterruptedException {
    List<Thread> stops = new ArrayList<>();
    for (Worker worker : workers) {
      Thread stop =
          new Thread(
              () -> {
                try {
                  worker.stop(shutdown.grace());
                } catch (InterruptedException impossible) {
                  Thread.currentThread().interrupt();
                }
              });
      stops.add(stop);
      stop.start();
    }
    for (Thread stop : stops) {
      stop.join();
    }
  }

  private static HandlerResult handle(TaskAttempt attempt) throws SQLException {
    String name = attempt.event().envelope().aggregateId();
    UUID eventId = attempt.event().envelope().eventId();
    var unused =
        attempt.inWorkspace(connection -> note(connection, "test.calls (event_id)", eventId));
    if (name.equals("killer")) {
      Runtime.getRuntime().halt(137);
    }
    long millis = name.startsWith("slow") ? 1_000 : ThreadLocalRandom.current().nextLong(60);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis)); // the work
    return name.startsWith("plain")
        ? HandlerResult.of("{\"done\":true}")
        : connection -> {
          note(connection, "test.effects (event_id)", eventId);
          return null;
        };
  }

  private static boolean note(Connection connection, String where, UUID eventId)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO " + where + " VALUES (?)")) {
      statement.setObject(1, eventId);
      return statement.executeUpdate() == 1;
    }
  }
}
