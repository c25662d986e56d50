package dev.onceward.relay.slot;

import dev.onceward.process.Settings;
import java.time.Duration;

/**
 * How the relay looks after slot and partitions. Immutable.
 *
 * @param retention how long events stay in the outbox once they are audited; at least a day
 * @param slotLoss what is done about a lost slot
 */
public record CareSettings(Duration retention, SlotLoss slotLoss) {
  private static final Duration DEFAULT_RETENTION = Duration.ofDays(7);
  private static final Duration SHORTEST_RETENTION = Duration.ofDays(1);
  private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);

  /** Reads {@code onceward.relay.retention} and {@code onceward.relay.slot-loss}. */
  public static CareSettings from(Settings settings) {
    return new CareSettings(
        settings.duration(
            "onceward.relay.retention",
            DEFAULT_RETENTION,
            SHORTEST_RETENTION,
            LONGEST_RETENTION,
            "How long events stay in the outbox; what is not audited stays longer."),
        settings.enumeration(
            "onceward.relay.slot-loss",
            SlotLoss.REPAIR,
            "A slot whose log PostgreSQL has removed: repair makes it again and lets the audit"
                + " fill the gap, stop waits for an operator."));
  }
}
