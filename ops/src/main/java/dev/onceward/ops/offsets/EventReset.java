package dev.onceward.ops.offsets;

import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.ops.Refusal;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.process.StartupException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/** Finds the record of an event on the event's own topic. Stateless but for the settings. */
final class EventReset {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How far the clock of whoever made the id may be ahead of the relay's. */
  private static final Duration CLOCKS_APART = Duration.ofMinutes(1);

  private final RelayRouting routing;

  EventReset(RelayRouting routing) {
    this.routing = routing;
  }

  /**
   * Which partition the event is in.
   *
   * @param connection of an operator, who sees all workspaces
   */
  TopicPartition partition(Connection connection, UUID eventId) throws SQLException {
    OutboxRow row =
        OutboxReader.find(connection, eventId)
            .orElseThrow(
                () ->
                    Refusal.of(
                        "the outbox has no event " + eventId,
                        "Check the id; events older than the retention are gone: use --to-time"));
    String topic = routing.topicNames().topicOf(row.eventType(), row.aggregateType());
    Map<String, Integer> pinned = new RelayStateStore(routing.relay()).pinnedPartitions(connection);
    Integer partitions = pinned.get(topic);
    if (partitions == null) {
      throw Refusal.of(
          "the relay has never sent to topic " + topic + ", where event " + eventId + " belongs",
          "Check onceward.topic-prefix and onceward.relay.slot-name: they must be the relay's");
    }
    return new TopicPartition(topic, routing.partitioner().partitionOf(row, partitions));
  }

  /** The topic offset of the event's first record that is kept. */
  long find(TopicPartition partition, OffsetRange range, UUID eventId) {
    byte[] key = eventId.toString().getBytes(StandardCharsets.US_ASCII);
    long occurred = eventId.getMostSignificantBits() >>> 16;
    try (Consumer<byte[], byte[]> client = routing.kafka().consumer()) {
      client.assign(Set.of(partition));
      OffsetAndTimestamp start =
          client
              .offsetsForTimes(Map.of(partition, Math.max(0, occurred - CLOCKS_APART.toMillis())))
              .get(partition);
      client.seek(partition, start == null ? range.end() : start.offset());
      long heardNanos = System.nanoTime();
      while (client.position(partition) < range.end()) {
        for (ConsumerRecord<byte[], byte[]> record : client.poll(POLL)) {
          heardNanos = System.nanoTime();
          if (Arrays.equals(key, record.key())) {
            return record.offset();
          }
        }
        if (System.nanoTime() - heardNanos > PATIENCE.toNanos()) {
          throw StartupException.unavailable(
              "partition " + partition + " could not be read", "Check that its broker runs", null);
        }
      }
    }
    throw Refusal.of(
        "event " + eventId + " is not in " + partition + ": not sent yet, parked, or expired",
        "See onceward events show " + eventId);
  }
}
