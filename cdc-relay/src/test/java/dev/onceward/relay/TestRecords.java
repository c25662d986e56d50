package dev.onceward.relay;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads what Kafka holds. */
final class TestRecords {
  private static final Map<String, KafkaConsumer<byte[], byte[]>> CONSUMERS = new HashMap<>();

  private TestRecords() {}

  /** Everything in all topics with this prefix at this moment; per partition in topic order. */
  static synchronized List<ConsumerRecord<byte[], byte[]>> read(
      String bootstrapServers, String prefix) {
    KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    List<TopicPartition> partitions = partitions(consumer, prefix);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      consumer.poll(Duration.ofMillis(200)).forEach(records::add);
    }
    return records;
  }

  /** How many records there are in all topics with this prefix, those sent again included. */
  static synchronized long count(String bootstrapServers, String prefix) {
    KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers);
    return consumer.endOffsets(partitions(consumer, prefix)).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Making one costs more than reading a test's records; there are as many as brokers. */
  private static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers) {
    return CONSUMERS.computeIfAbsent(
        bootstrapServers,
        servers ->
            new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "reconnect.backoff.max.ms", "200"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer()));
  }

  private static List<TopicPartition> partitions(
      KafkaConsumer<byte[], byte[]> consumer, String prefix) {
    return consumer.listTopics().entrySet().stream()
        .filter(topic -> topic.getKey().startsWith(prefix))
        .flatMap(topic -> topic.getValue().stream())
        .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
        .toList();
  }

  /** The event ids of records. */
  static Set<UUID> ids(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(TestRecords::id).collect(Collectors.toCollection(TreeSet::new));
  }

  static UUID id(ConsumerRecord<byte[], byte[]> record) {
    return UUID.fromString(new String(record.key(), StandardCharsets.US_ASCII));
  }
}
