package dev.onceward.relay.park;

import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/** What a term knows of deliveries. Thread-safe. */
public interface Deliveries {
  /** Whether Kafka already held the event when the term began. */
  boolean inKafka(UUID eventId);

  /** An event stands in {@code parked_events}. */
  void parked(long xid, UUID eventId);

  /** A parked event is in Kafka now. */
  void parkedDelivered(long xid, UUID eventId, TopicPartition partition, long offset);
}
