package dev.onceward.local.topic;

import java.time.Instant;
import java.util.Map;

/**
 * A record as a consumer got it. Immutable.
 *
 * @param topic of the record
 * @param partition of the topic
 * @param topicOffset its place in the partition
 * @param key as text
 * @param headers as text, in their order
 * @param value as text
 * @param seenAt when the consumer got it
 */
public record SeenRecord(
    String topic,
    int partition,
    long topicOffset,
    String key,
    Map<String, String> headers,
    String value,
    Instant seenAt) {}
