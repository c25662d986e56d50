package dev.onceward.relay.publish;

import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * An event that Kafka holds on all in-sync replicas. Immutable.
 *
 * @param eventId the event
 * @param partition where
 * @param offset and at which offset
 * @param sizeBytes the size of its key, value and headers
 */
public record Acknowledged(UUID eventId, TopicPartition partition, long offset, int sizeBytes) {}
