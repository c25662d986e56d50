package dev.onceward.ops.doctor;

import dev.onceward.event.route.TopicNames;
import dev.onceward.process.Settings;
import java.time.Duration;

/**
 * What the checks hold the servers to. Immutable.
 *
 * @param slotName the relay's slot
 * @param topicPrefix what the names of our topics begin with
 * @param retention how long the outbox keeps events, so that they can be replayed
 */
record DoctorSettings(String slotName, String topicPrefix, Duration retention) {

  private static final Duration DEFAULT_RETENTION = Duration.ofDays(7);
  private static final Duration SHORTEST_RETENTION = Duration.ofDays(1);
  private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);

  /** Reads the relay's own keys; the caller verifies. */
  static DoctorSettings from(Settings settings) {
    return new DoctorSettings(
        settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay."),
        settings.text(
            "onceward.topic-prefix", TopicNames.DEFAULT_PREFIX, "What topic names begin with."),
        settings.duration(
            "onceward.relay.retention",
            DEFAULT_RETENTION,
            SHORTEST_RETENTION,
            LONGEST_RETENTION,
            "How long events stay in the outbox."));
  }
}
