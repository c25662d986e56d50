package dev.onceward.worker;

import dev.onceward.process.Health;
import dev.onceward.process.HealthCheck;
import dev.onceward.process.HealthChecks;
import dev.onceward.worker.claim.TaskProcessor;
import dev.onceward.worker.consume.ConsumerStatus;
import dev.onceward.worker.deadletter.DeadLetterPublisher;
import dev.onceward.worker.retry.DatabaseStatus;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What can stand still in a worker, each as one check. */
final class WorkerHealth {

  /** Silence of this length is a failure; with the probes' own intervals it shows within 10 s. */
  private static final Duration SILENCE = Duration.ofSeconds(7);

  private WorkerHealth() {}

  static void register(
      HealthChecks checks,
      DatabaseStatus database,
      BrokerProbe broker,
      ConsumerStatus consumer,
      DeadLetterPublisher deadLetters,
      TaskProcessor tasks,
      int concurrency,
      Duration standstillLimit) {
    checks.register(
        check(
            "database",
            () ->
                state(
                    database.failure(),
                    silent("the database has not answered", database.sinceLastAnswer()))));
    checks.register(
        check(
            "kafka",
            () ->
                state(broker.failure(), silent("Kafka has not answered", broker.sinceLastAnswer()))
                    .with("missing_topics", String.join(",", broker.missingTopics()))));
    checks.register(
        check(
            "consumer",
            () ->
                state(
                        consumer.failure(),
                        silent("the poll loop has not come round", consumer.sinceLastPass()))
                    .with("partitions", consumer.lagRecords().size())
                    .with("lag_records", lag(consumer))));
    checks.register(check("progress", () -> state(standstill(consumer, standstillLimit), null)));
    checks.register(check("dead_letters", () -> state(deadLetters.blockedBecause(), null)));
    checks.register(
        check(
            "handlers",
            () ->
                state(
                        tasks.abandoned() >= concurrency
                            ? "%d handlers do not return although their attempts are over"
                                .formatted(tasks.abandoned())
                            : null,
                        null)
                    .with("in_flight", tasks.inFlight())));
  }

  static long lag(ConsumerStatus consumer) {
    return consumer.lagRecords().values().stream().mapToLong(Long::longValue).sum();
  }

  private static @Nullable String standstill(ConsumerStatus consumer, Duration limit) {
    Duration standstill = consumer.standstill();
    return standstill.compareTo(limit) < 0
        ? null
        : "nothing was finished for %d s although %d records wait"
            .formatted(standstill.toSeconds(), lag(consumer));
  }

  private static @Nullable String silent(String what, Duration since) {
    return since.compareTo(SILENCE) < 0 ? null : "%s for %d s".formatted(what, since.toSeconds());
  }

  private static Health state(@Nullable String first, @Nullable String second) {
    String reason = first != null ? first : second;
    return reason == null ? Health.up() : Health.down(reason);
  }

  private static HealthCheck check(String name, Supplier<Health> state) {
    return new HealthCheck() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Health check() {
        return state.get();
      }
    };
  }
}
