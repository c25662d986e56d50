package dev.onceward.ops.replay;

import dev.onceward.event.EventHeaders;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.process.StartupException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks Kafka which events of a replay it holds behind the recorded positions: those of the page
 * that was under way when its process ended. Stateless.
 */
final class ReadBack {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final KafkaAccess kafka;

  ReadBack(KafkaAccess kafka) {
    this.kafka = kafka;
  }

  /**
   * The events that are there.
   *
   * @param recorded where to begin
   * @param ends where the topics of the replay end now
   * @throws StartupException if Kafka does not answer for 30 s
   */
  Set<UUID> find(UUID replayId, KafkaPositions recorded, KafkaPositions ends) {
    Set<UUID> found = new HashSet<>();
    try (Consumer<byte[], byte[]> client = kafka.consumer()) {
      Map<TopicPartition, Long> unread = new HashMap<>();
      ends.topics().forEach((name, topic) -> addPartitions(unread, name, topic));
      Map<TopicPartition, Long> beginnings = client.beginningOffsets(unread.keySet());
      client.assign(unread.keySet());
      unread
          .keySet()
          .forEach(
              partition ->
                  client.seek(
                      partition,
                      start(partition, recorded, ends, beginnings.getOrDefault(partition, 0L))));
      long heardNanos = System.nanoTime();
      while (unreadIsLeft(client, unread)) {
        boolean any = false;
        for (ConsumerRecord<byte[], byte[]> record : client.poll(POLL)) {
          any = true;
          note(record, replayId.toString(), found);
        }
        if (any) {
          heardNanos = System.nanoTime();
        } else if (System.nanoTime() - heardNanos > PATIENCE.toNanos()) {
          throw StartupException.unavailable(
              "Kafka could not be read back", "Check that its brokers run, and resume again", null);
        }
      }
    }
    return found;
  }

  private static void addPartitions(
      Map<TopicPartition, Long> unread, String name, KafkaPositions.Topic topic) {
    for (int i = 0; i < topic.offsets().size(); i++) {
      unread.put(new TopicPartition(name, i), topic.offsets().get(i));
    }
  }

  /** A topic that was made anew, or lost its end, is read from its beginning. */
  private static long start(
      TopicPartition partition, KafkaPositions recorded, KafkaPositions ends, long beginning) {
    KafkaPositions.Topic then = recorded.topics().get(partition.topic());
    KafkaPositions.Topic now = ends.topics().get(partition.topic());
    if (then == null
        || now == null
        || !then.id().equals(now.id())
        || partition.partition() >= then.offsets().size()
        || then.offsets().get(partition.partition()) > now.offsets().get(partition.partition())) {
      return beginning;
    }
    return Math.max(beginning, then.offsets().get(partition.partition()));
  }

  private static boolean unreadIsLeft(
      Consumer<byte[], byte[]> client, Map<TopicPartition, Long> unread) {
    Set<TopicPartition> read = new HashSet<>();
    unread.forEach(
        (partition, end) -> {
          if (client.position(partition) >= end) {
            read.add(partition);
          }
        });
    unread.keySet().removeAll(read);
    client.pause(read);
    return !unread.isEmpty();
  }

  private static void note(
      ConsumerRecord<byte[], byte[]> record, String replayId, Set<UUID> found) {
    byte[] key = record.key();
    boolean ours =
        EventHeaders.text(record.headers(), EventHeaders.REPLAY_ID)
            .filter(replayId::equals)
            .isPresent();
    if (ours && key != null) {
      found.add(UUID.fromString(new String(key, StandardCharsets.US_ASCII)));
    }
  }
}
