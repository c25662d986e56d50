package dev.onceward.relay.audit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the audit tells. One for the life of the process. Thread-safe. */
public final class AuditMetrics {
  private final Counter missing;
  private final Counter unseen;
  private final Counter suppressed;
  private volatile @Nullable Instant auditedUpTo;
  private volatile long remembered;

  public AuditMetrics(MeterRegistry registry) {
    missing =
        Counter.builder("onceward.audit.missing")
            .description("Events that were in the outbox and not in Kafka, and were filled in.")
            .register(registry);
    unseen =
        Counter.builder("onceward.audit.unseen")
            .description("Delivered events whose rows the audit could not see.")
            .register(registry);
    suppressed =
        Counter.builder("onceward.relay.duplicates.suppressed")
            .description("Events that came again and were already in Kafka.")
            .register(registry);
    Gauge.builder("onceward.audit.gap", this, AuditMetrics::gapSeconds)
        .baseUnit("seconds")
        .description("Age of the moment up to which everything is proven to be in Kafka.")
        .register(registry);
    Gauge.builder("onceward.audit.remembered", this, metrics -> (double) metrics.remembered)
        .baseUnit("events")
        .description("Delivered events that wait for their audit in memory.")
        .register(registry);
  }

  void missing(long events) {
    missing.increment((double) events);
  }

  void unseen(long events) {
    unseen.increment((double) events);
  }

  /** Events came again and were not sent again. */
  public void suppressed(long events) {
    suppressed.increment((double) events);
  }

  void audited(Instant upTo) {
    auditedUpTo = upTo;
  }

  /** So many delivered events are remembered one by one. */
  public void remembered(long events) {
    remembered = events;
  }

  private double gapSeconds() {
    Instant upTo = auditedUpTo;
    return upTo == null ? Double.NaN : Duration.between(upTo, Instant.now()).toMillis() / 1000.0;
  }
}
