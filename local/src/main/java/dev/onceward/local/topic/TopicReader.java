package dev.onceward.local.topic;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic from its beginning as an outside consumer would, without a group. It may be opened
 * before the topic exists. Confined to one thread.
 */
public final class TopicReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration METADATA_LIMIT = Duration.ofSeconds(5);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private List<TopicPartition> partitions = List.of();

  /**
   * @param bootstrapServers of the broker
   * @param topic may not exist yet
   */
  public TopicReader(String bootstrapServers, String topic) {
    this.topic = topic;
    Properties properties = new Properties();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
    this.consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** What has arrived since the last call, waiting a moment when there is nothing. */
  public List<SeenRecord> poll() throws InterruptedException {
    if (partitions.isEmpty() && !assign()) {
      Thread.sleep(POLL.toMillis());
      return List.of();
    }
    List<SeenRecord> seen = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
      seen.add(seen(each, Instant.now()));
    }
    return seen;
  }

  /** Whether everything that is in the topic now has been returned by {@link #poll}. */
  public boolean atEnd() {
    return partitions.isEmpty()
        || consumer.endOffsets(partitions).entrySet().stream()
            .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  @Override
  public void close() {
    consumer.close();
  }

  private boolean assign() {
    partitions =
        consumer.partitionsFor(topic, METADATA_LIMIT).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return !partitions.isEmpty();
  }

  private static SeenRecord seen(ConsumerRecord<byte[], byte[]> each, Instant at) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : each.headers()) {
      headers.put(header.key(), text(header.value()));
    }
    return new SeenRecord(
        each.topic(),
        each.partition(),
        each.offset(),
        text(each.key()),
        headers,
        text(each.value()),
        at);
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "(null)" : new String(bytes, StandardCharsets.UTF_8);
  }
}
