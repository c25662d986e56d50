package dev.onceward.worker.claim;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.Supplier;

/** Counts what happens to tasks, by event type. Thread-safe. */
public final class TaskMetrics {

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2_500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30),
    Duration.ofSeconds(60)
  };

  private final MeterRegistry registry;

  /** Counts into this registry. */
  public TaskMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Begins its counters at 0, so that the first of a kind is seen to rise. */
  public void expect(String eventType) {
    registry.counter("onceward.worker.claimed", "event_type", eventType);
    for (TaskEnd end : TaskEnd.values()) {
      registry.counter("onceward.worker." + end.metric(), "event_type", eventType);
    }
  }

  void claimed(String eventType) {
    count("onceward.worker.claimed", eventType);
  }

  void notClaimed(String eventType, String reason) {
    registry
        .counter("onceward.worker.not.claimed", "event_type", eventType, "reason", reason)
        .increment();
  }

  /**
   * An attempt has ended.
   *
   * @param duration since the claim
   */
  void ended(String eventType, TaskEnd end, Duration duration) {
    count("onceward.worker." + end.metric(), eventType);
    Timer.builder("onceward.worker.task.duration")
        .description("From the claim to the finish of one attempt")
        .tags("event_type", eventType, "end", end.label())
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(duration);
  }

  /** An operation died by its last lease, outside any attempt. */
  void buried(String eventType) {
    count("onceward.worker." + TaskEnd.DEAD.metric(), eventType);
  }

  void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  private void count(String name, String eventType) {
    registry.counter(name, "event_type", eventType).increment();
  }
}
