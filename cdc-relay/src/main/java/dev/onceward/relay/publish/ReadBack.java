package dev.onceward.relay.publish;

import dev.onceward.event.route.EventRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka which records it holds of those whose producer had to be closed before they were
 * acknowledged. Stateless.
 *
 * <p>What cannot be read counts as missing: it is then sent again, and may come twice.
 */
final class ReadBack {
  private static final Logger LOG = LoggerFactory.getLogger(ReadBack.class);

  /** How far a broker's clock may be behind ours, where the broker stamps the records. */
  private static final Duration CLOCKS_APART = Duration.ofSeconds(30);

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Properties consumer;

  /**
   * @param consumer settings of a consumer
   */
  ReadBack(Properties consumer) {
    this.consumer = consumer;
  }

  /**
   * Those of the records that Kafka holds.
   *
   * @param sentAfter when the first of them was sent, by our clock
   * @throws InterruptedException at once on an interrupt
   */
  List<Acknowledged> find(List<EventRecord> sent, Instant sentAfter) throws InterruptedException {
    Map<String, EventRecord> wanted = new HashMap<>();
    Map<TopicPartition, Long> since = new HashMap<>();
    for (EventRecord record : sent) {
      wanted.put(new String(record.key(), StandardCharsets.US_ASCII), record);
      since.put(partition(record), sentAfter.minus(CLOCKS_APART).toEpochMilli());
    }
    List<Acknowledged> found = new ArrayList<>();
    long begunNanos = System.nanoTime();
    try (KafkaConsumer<byte[], byte[]> client =
        new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      Map<TopicPartition, Long> starts = new HashMap<>();
      for (Map.Entry<TopicPartition, OffsetAndTimestamp> start :
          client.offsetsForTimes(since, LIMIT).entrySet()) {
        // Null: nothing was written since.
        if (start.getValue() != null) {
          starts.put(start.getKey(), start.getValue().offset());
        }
      }
      boolean all =
          PartitionReader.read(
              client,
              starts,
              client.endOffsets(starts.keySet(), LIMIT),
              () -> System.nanoTime() - begunNanos < LIMIT.toNanos(),
              record -> note(record, wanted, found));
      if (!all) {
        LOG.warn("Not all could be read back; some events may come twice");
      }
    } catch (InterruptException e) {
      Thread.interrupted(); // InterruptException has set it again.
      throw new InterruptedException("interrupted while reading back what was sent");
    } catch (KafkaException e) {
      LOG.warn(
          "What was sent could not be read back, and may come twice: {}",
          KafkaFailures.describe(e));
    }
    return found;
  }

  private static void note(
      ConsumerRecord<byte[], byte[]> present,
      Map<String, EventRecord> wanted,
      List<Acknowledged> found) {
    byte[] key = present.key();
    EventRecord record =
        key == null ? null : wanted.remove(new String(key, StandardCharsets.US_ASCII));
    if (record != null) {
      found.add(
          new Acknowledged(
              record.eventId(),
              new TopicPartition(present.topic(), present.partition()),
              present.offset(),
              record.sizeBytes()));
    }
  }

  private static TopicPartition partition(EventRecord record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}
