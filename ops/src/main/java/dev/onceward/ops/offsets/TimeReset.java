package dev.onceward.ops.offsets;

import dev.onceward.ops.Refusal;
import dev.onceward.ops.kafka.KafkaAccess;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first records that were written at a time or after it. Stateless but for the client.
 */
final class TimeReset {
  private final Admin admin;

  TimeReset(Admin admin) {
    this.admin = admin;
  }

  /**
   * Where to read from that time on; the end where nothing was written since.
   *
   * @param now by this machine's clock
   */
  Map<TopicPartition, NewOffset> find(
      Map<TopicPartition, OffsetRange> ranges, Instant time, Instant now) {
    if (time.isAfter(now)) {
      throw Refusal.of(time + " is still to come", "Give a time up to now, " + now);
    }
    Map<TopicPartition, OffsetSpec> question = new HashMap<>();
    ranges
        .keySet()
        .forEach(
            partition -> question.put(partition, OffsetSpec.forTimestamp(time.toEpochMilli())));
    Map<TopicPartition, ListOffsetsResultInfo> found =
        KafkaAccess.await(admin.listOffsets(question).all());
    Map<String, Duration> kept = retention(topics(ranges.keySet()));
    Map<TopicPartition, NewOffset> offsets = new HashMap<>();
    ranges.forEach(
        (partition, range) -> {
          ListOffsetsResultInfo first = found.get(partition);
          long offset = first == null || first.offset() < 0 ? range.end() : first.offset();
          boolean isLater =
              first == null || first.offset() < 0 || first.timestamp() > time.toEpochMilli();
          // What it held before its beginning may have been of that time.
          boolean cut = range.beginning() > 0 && offset <= range.beginning() && isLater;
          if (cut) {
            requireKept(partition.topic(), kept.get(partition.topic()), time, now);
          }
          offsets.put(
              partition, new NewOffset(offset, cut ? "the oldest record that is kept" : null));
        });
    return offsets;
  }

  private static void requireKept(
      String topic, @Nullable Duration retention, Instant time, Instant now) {
    if (retention != null && time.isBefore(now.minus(retention))) {
      throw Refusal.of(
          time + " is out of range: topic " + topic + " keeps records for " + retention,
          "Give a time after " + now.minus(retention) + ", or replay from the outbox");
    }
  }

  private static Set<String> topics(Collection<TopicPartition> partitions) {
    Set<String> topics = new HashSet<>();
    partitions.forEach(partition -> topics.add(partition.topic()));
    return topics;
  }

  /** How long each topic keeps its records; without those that keep them for ever. */
  private Map<String, Duration> retention(Set<String> topics) {
    Set<ConfigResource> question = new HashSet<>();
    topics.forEach(topic -> question.add(new ConfigResource(ConfigResource.Type.TOPIC, topic)));
    Map<String, Duration> kept = new HashMap<>();
    KafkaAccess.await(admin.describeConfigs(question).all())
        .forEach(
            (topic, config) -> {
              var entry = config.get(TopicConfig.RETENTION_MS_CONFIG);
              long millis = entry == null ? -1 : Long.parseLong(entry.value());
              if (millis >= 0) {
                kept.put(topic.name(), Duration.ofMillis(millis));
              }
            });
    return kept;
  }
}
