package dev.onceward.relay.park;

import dev.onceward.process.Settings;
import java.time.Duration;

/**
 * When events are parked and how they are sent again. Immutable.
 *
 * @param ordering what goes first when a topic does not take its events
 * @param topicPatience how long a topic may be silent while the cluster answers
 * @param pendingLimit how many pending events a topic may have before the stream waits
 * @param maxAttempts after how many attempts an event is a dead letter
 */
public record ParkingSettings(
    Ordering ordering, Duration topicPatience, int pendingLimit, int maxAttempts) {
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);
  private static final int DEFAULT_LIMIT = 10_000;
  private static final int DEFAULT_ATTEMPTS = 12;

  /** Nothing is given up. */
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  /** Reads its part of the configuration. */
  public static ParkingSettings from(Settings settings) {
    return new ParkingSettings(
        settings.enumeration(
            "onceward.relay.ordering",
            Ordering.AVAILABLE,
            "What goes first when a topic takes no events: the other topics, or the order of all."),
        settings.duration(
            "onceward.relay.topic-patience",
            DEFAULT_PATIENCE,
            Duration.ofSeconds(1),
            Duration.ofHours(1),
            "How long a topic may be silent while Kafka answers before its events are parked."),
        settings.integer(
            "onceward.relay.parked-limit",
            DEFAULT_LIMIT,
            1,
            1_000_000,
            "events",
            "The most pending parked events of a topic; then the relay waits."),
        settings.integer(
            "onceward.relay.parked-attempts",
            DEFAULT_ATTEMPTS,
            1,
            1_000,
            "attempts",
            "Attempts before a parked event is a dead letter; a missing topic costs none."));
  }

  /** How long a batch of the stream may wait for one topic. */
  public Duration streamPatience() {
    return ordering == Ordering.STRICT ? FOREVER : topicPatience;
  }
}
