package dev.onceward.ops.event;

import dev.onceward.event.DeadLetterHeaders;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.TopicNames;
import dev.onceward.ops.event.EventLife.FoundRecord;
import dev.onceward.ops.kafka.EventTopics;
import dev.onceward.ops.kafka.PartitionScan;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the records of events by their keys: from shortly before the event's time to the end,
 * in the partition where it belongs and in the dead-letter topic; where an event that was delivered
 * is not there, in the topic's other partitions too. Confined to one thread.
 */
final class KafkaTrace {
  /** How much earlier than its event a record may be stamped. */
  private static final Duration CLOCKS_APART = Duration.ofMinutes(10);

  /** An operator waits. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private final Consumer<byte[], byte[]> consumer;
  private final EventTopics topics;
  private final Map<String, Integer> pinnedPartitions;
  private final long begunNanos = System.nanoTime();
  private final Map<String, List<FoundRecord>> found = new HashMap<>();
  private boolean complete = true;

  /**
   * Prepares to look.
   *
   * @param pinnedPartitions topic → the number of partitions that the relay computes with
   */
  KafkaTrace(
      Consumer<byte[], byte[]> consumer,
      EventTopics topics,
      Map<String, Integer> pinnedPartitions) {
    this.consumer = consumer;
    this.topics = topics;
    this.pinnedPartitions = Map.copyOf(pinnedPartitions);
  }

  /** The life with what Kafka holds of it. */
  Life trace(Life life) {
    Map<String, List<PartitionInfo>> present = consumer.listTopics();
    Map<TopicPartition, Long> expected = new HashMap<>();
    for (EventLife event : life.events()) {
      found.put(event.id().toString(), new ArrayList<>());
      String topic = topicOf(event);
      if (topic != null) {
        long since = event.occurredAt().minus(CLOCKS_APART).toEpochMilli();
        TopicPartition place = placeOf(event, topic, present);
        if (place != null) {
          expected.merge(place, since, Math::min);
        }
        for (PartitionInfo info : present.getOrDefault(TopicNames.deadLetterOf(topic), List.of())) {
          expected.merge(new TopicPartition(info.topic(), info.partition()), since, Math::min);
        }
      }
    }
    read(expected);
    read(elsewhere(life, present, expected));
    List<EventLife> traced = new ArrayList<>();
    for (EventLife event : life.events()) {
      String topic = topicOf(event);
      TopicPartition place = topic == null ? null : placeOf(event, topic, present);
      List<FoundRecord> records =
          found.getOrDefault(event.id().toString(), List.of()).stream()
              .sorted(Comparator.comparing(FoundRecord::at))
              .toList();
      traced.add(event.withRecords(place == null ? topic : place.toString(), records));
    }
    return life.withKafka(
        traced,
        complete
            ? null
            : "Kafka was read for "
                + LIMIT.toSeconds()
                + " s, and not to its end: there may be more records");
  }

  private @Nullable String topicOf(EventLife event) {
    EventLife.Row row = event.row();
    EventLife.Parked parked = event.parked();
    return row != null
        ? topics.names().topicOf(row.eventType(), row.aggregateType())
        : parked != null ? parked.topic() : null;
  }

  /** Where the relay puts it; null if that partition does not exist. */
  private @Nullable TopicPartition placeOf(
      EventLife event, String topic, Map<String, List<PartitionInfo>> present) {
    EventLife.Row row = event.row();
    int partitions = present.getOrDefault(topic, List.of()).size();
    if (row == null || partitions == 0) {
      return null;
    }
    String key = topics.partitioner().keyOf(event.id(), row.aggregateType(), row.aggregateId());
    int partition = Partitioner.partitionOf(key, pinnedPartitions.getOrDefault(topic, partitions));
    return partition < partitions ? new TopicPartition(topic, partition) : null;
  }

  private Map<TopicPartition, Long> elsewhere(
      Life life, Map<String, List<PartitionInfo>> present, Map<TopicPartition, Long> readAlready) {
    Map<TopicPartition, Long> others = new HashMap<>();
    for (EventLife event : life.events()) {
      String topic = topicOf(event);
      boolean sought =
          event.status().equals("dispatched")
              && found.getOrDefault(event.id().toString(), List.of()).stream()
                  .allMatch(record -> record.deadLetterReason() != null);
      if (topic != null && sought) {
        for (PartitionInfo info : present.getOrDefault(topic, List.of())) {
          others.merge(
              new TopicPartition(topic, info.partition()),
              event.occurredAt().minus(CLOCKS_APART).toEpochMilli(),
              Math::min);
        }
      }
    }
    others.keySet().removeAll(readAlready.keySet());
    return others;
  }

  private void read(Map<TopicPartition, Long> since) {
    if (since.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(since.keySet());
    PartitionScan scan = new PartitionScan(consumer);
    complete &=
        scan.read(
            scan.startsSince(since, ends),
            ends,
            () -> System.nanoTime() - begunNanos < LIMIT.toNanos(),
            this::note);
  }

  private void note(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    List<FoundRecord> of =
        key == null ? null : found.get(new String(key, StandardCharsets.ISO_8859_1));
    if (of != null) {
      of.add(
          new FoundRecord(
              record.topic(),
              record.partition(),
              record.offset(),
              Instant.ofEpochMilli(record.timestamp()),
              sentAs(record),
              TopicNames.isDeadLetter(record.topic())
                  ? EventHeaders.text(record.headers(), DeadLetterHeaders.REASON)
                      .orElse("no reason given")
                  : null));
    }
  }

  private static String sentAs(ConsumerRecord<byte[], byte[]> record) {
    Headers headers = record.headers();
    if (TopicNames.isDeadLetter(record.topic())) {
      return "dead letter";
    }
    Optional<String> replay = EventHeaders.text(headers, EventHeaders.REPLAY_ID);
    if (replay.isPresent()) {
      return "replay " + replay.get();
    }
    return EventHeaders.text(headers, EventHeaders.AUDIT_REPAIR).isPresent()
        ? "audit repair"
        : "original";
  }
}
