package dev.onceward.relay;

import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.publish.Acknowledged;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.slot.SlotStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The relay's metrics. Thread-safe. */
final class RelayMetrics {
  private final Counter events;
  private final Counter bytes;
  private final Counter batches;
  private final Counter slotsRemade;
  private final Timer commitToAck;
  private final DeliveryTraces traces;

  RelayMetrics(
      MeterRegistry registry, RelayStatus status, PublishStatus publishing, DeliveryTraces traces) {
    this.traces = traces;
    events =
        Counter.builder("onceward.relay.events.published")
            .description("Events that Kafka has acknowledged, those sent again included.")
            .register(registry);
    bytes =
        Counter.builder("onceward.relay.published")
            .description("Keys, values and headers that Kafka has acknowledged.")
            .baseUnit("bytes")
            .register(registry);
    batches =
        Counter.builder("onceward.relay.batches")
            .description("Batches that were sent, acknowledged and confirmed together.")
            .register(registry);
    slotsRemade =
        Counter.builder("onceward.relay.slot.remade")
            .description("Slots that were lost or useless, dropped and made again.")
            .register(registry);
    commitToAck =
        Timer.builder("onceward.relay.commit.to.ack")
            .description("From an event's commit to Kafka's acknowledgement, by two clocks.")
            .publishPercentileHistogram()
            .minimumExpectedValue(Duration.ofMillis(1))
            .maximumExpectedValue(Duration.ofMinutes(10))
            .register(registry);
    Gauge.builder("onceward.relay.leading", status, s -> s.leading() ? 1 : 0)
        .description("1 while this relay has the lead and streams; over all relays of a slot 1.")
        .register(registry);
    gauge(status, "lag", "seconds", RelayStatus::lagSeconds)
        .description("Age of the oldest thing known and not delivered: an event or a watermark.")
        .register(registry);
    gauge(status, "slot.retained", "bytes", s -> slot(s, SlotStatus::retainedBytes))
        .description("Log that PostgreSQL keeps for the slot.")
        .register(registry);
    gauge(status, "slot.lag", "bytes", s -> slot(s, SlotStatus::lagBytes))
        .description("Log behind the slot's confirmed position, other tables' included.")
        .register(registry);
    gauge(status, "slot.safe", "bytes", s -> slot(s, RelayMetrics::safeBytes))
        .description("Log that may still be written before the slot is lost; NaN without a limit.")
        .register(registry);
    gauge(status, "oldest.transaction", "seconds", s -> slot(s, RelayMetrics::oldestSeconds))
        .description("Age of the oldest open transaction that has written; it pins the log.")
        .register(registry);
    gauge(status, "partitions.overdue", "partitions", RelayStatus::partitionsOverdue)
        .description("Daily partitions older than the retention that could not be dropped yet.")
        .register(registry);
    gauge(status, "partitions.missing", "partitions", RelayStatus::partitionsMissing)
        .description("Daily partitions that could not be made; their rows go to DEFAULT.")
        .register(registry);
    FunctionCounter.builder("onceward.relay.engine.restarts", status, RelayStatus::restarts)
        .description("Streams that ended without being asked to.")
        .register(registry);
    FunctionCounter.builder("onceward.relay.publish.retries", publishing, PublishStatus::retries)
        .description("Attempts to publish that had to be repeated.")
        .register(registry);
  }

  /** The slot was dropped and made again. */
  void slotRemade() {
    slotsRemade.increment();
  }

  /** Kafka has acknowledged an event of the stream. */
  void delivered(CapturedEvent event, Acknowledged sent) {
    Instant now = Instant.now();
    // A database whose clock is ahead would give less than nothing.
    Duration took = Duration.between(event.committedAt(), now);
    commitToAck.record(took.isNegative() ? Duration.ZERO : took);
    traces.delivered(event, sent, took.isNegative() ? event.committedAt() : now);
  }

  /** Kafka has acknowledged a batch. */
  void acknowledged(List<Acknowledged> acknowledged) {
    long size = 0;
    for (Acknowledged sent : acknowledged) {
      size += sent.sizeBytes();
    }
    events.increment(acknowledged.size());
    bytes.increment((double) size);
    batches.increment();
  }

  private static double safeBytes(SlotStatus slot) {
    return slot.safeWalBytes().isPresent() ? (double) slot.safeWalBytes().getAsLong() : Double.NaN;
  }

  private static double oldestSeconds(SlotStatus slot) {
    return slot.oldestTransaction().toMillis() / 1000.0;
  }

  private static double slot(RelayStatus status, ToDoubleFunction<SlotStatus> value) {
    return status.slot().map(value::applyAsDouble).orElse(Double.NaN);
  }

  private static Gauge.Builder<RelayStatus> gauge(
      RelayStatus status, String name, String unit, ToDoubleFunction<RelayStatus> value) {
    return Gauge.builder("onceward.relay." + name, status, value).baseUnit(unit);
  }
}
