package dev.onceward.db.relay;

import java.time.Duration;

/**
 * How many events of one topic wait. Immutable.
 *
 * @param topic the topic
 * @param pending how many
 * @param oldest how long the oldest has waited
 */
public record ParkedCount(String topic, long pending, Duration oldest) {}
