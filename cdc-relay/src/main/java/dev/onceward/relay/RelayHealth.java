package dev.onceward.relay;

import dev.onceward.process.Health;
import dev.onceward.process.HealthCheck;
import dev.onceward.process.HealthChecks;
import dev.onceward.relay.park.ParkedStatus;
import dev.onceward.relay.publish.KafkaProbe;
import dev.onceward.relay.publish.PublishStatus;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The relay's health, judged by what last happened, never by a living thread. Together the limits
 * here and the pace of the loops that feed them turn health DOWN within ten seconds.
 */
final class RelayHealth {
  private static final Duration DATABASE_SILENCE = Duration.ofSeconds(7);
  private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(5);

  /** A watermark is sent each second; only a stream that stands still brings none. */
  private static final Duration NO_PROGRESS = Duration.ofSeconds(7);

  /** Behind an event that is on its way an aggregate's next ones park for a moment. */
  private static final Duration PARKED = Duration.ofSeconds(5);

  private RelayHealth() {}

  static void register(
      HealthChecks checks,
      RelayStatus status,
      PublishStatus publishing,
      KafkaProbe probe,
      ParkedStatus parked) {
    checks.register(check("postgresql", () -> postgresql(status)));
    checks.register(check("kafka", () -> kafka(publishing, probe)));
    checks.register(check("stream", () -> stream(status)));
    checks.register(check("parked", () -> parked(parked)));
  }

  private static Health postgresql(RelayStatus status) {
    return status.databaseTrouble(DATABASE_SILENCE).map(Health::down).orElseGet(Health::up);
  }

  private static Health parked(ParkedStatus parked) {
    return parked
        .trouble(PARKED)
        .map(Health::down)
        .orElseGet(Health::up)
        .with("pending", parked.pendingEvents())
        .with("dead_letters", parked.deadLetters());
  }

  private static Health kafka(PublishStatus publishing, KafkaProbe probe) {
    return publishing
        .waiting()
        .filter(waiting -> waiting.since().compareTo(ACKNOWLEDGEMENT) > 0)
        .map(RelayHealth::unacknowledged)
        .or(() -> probe.trouble().map(Health::down))
        .orElseGet(Health::up);
  }

  private static Health unacknowledged(PublishStatus.Waiting waiting) {
    String trouble = waiting.trouble();
    return Health.down(
        waiting.events()
            + " events have been waiting for Kafka for "
            + waiting.since().toSeconds()
            + " s"
            + (trouble == null ? "" : ": " + trouble));
  }

  private static Health stream(RelayStatus status) {
    if (status.paused()) {
      return Health.paused(
          "an operator has paused the relay; \"onceward relay resume\" lets it go on");
    }
    Health health =
        status
            .streamTrouble()
            .or(() -> status.stalledFor(NO_PROGRESS).map(RelayHealth::stalled))
            .map(Health::down)
            .orElseGet(Health::up)
            .with("role", status.standby() ? "standby" : "leader");
    return status
        .slot()
        .map(
            slot ->
                health
                    .with("slot_retained_bytes", slot.retainedBytes())
                    .with("slot_lag_bytes", slot.lagBytes())
                    .with("slot_wal_status", slot.walStatus())
                    .with("oldest_transaction_seconds", slot.oldestTransaction().toSeconds()))
        .orElse(health);
  }

  private static String stalled(Duration silent) {
    return "no watermark has come back through the stream for " + silent.toSeconds() + " s";
  }

  private static HealthCheck check(String name, Supplier<Health> answer) {
    return new HealthCheck() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Health check() {
        return answer.get();
      }
    };
  }
}
