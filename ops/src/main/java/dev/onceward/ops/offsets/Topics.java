package dev.onceward.ops.offsets;

import dev.onceward.ops.Refusal;
import dev.onceward.ops.kafka.KafkaAccess;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Looks topics up. Stateless. */
final class Topics {

  /** By topic, then by number. */
  static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition);

  private Topics() {}

  /** The partitions of a topic; refused if there is no such topic. */
  static List<TopicPartition> partitions(Admin admin, String topic) {
    try {
      return KafkaAccess.await(admin.describeTopics(List.of(topic)).allTopicNames())
          .values()
          .stream()
          .flatMap(description -> description.partitions().stream())
          .map(info -> new TopicPartition(topic, info.partition()))
          .toList();
    } catch (UnknownTopicOrPartitionException | InvalidTopicException e) {
      throw Refusal.of(
          "there is no topic \"" + topic + "\"",
          "See onceward offsets show for those that there are");
    }
  }

  /** All partitions of these topics, which exist, in their order. */
  static Set<TopicPartition> partitions(Admin admin, Collection<String> topics) {
    Set<TopicPartition> partitions = new TreeSet<>(ORDER);
    KafkaAccess.await(admin.describeTopics(topics).allTopicNames())
        .forEach(
            (name, topic) ->
                topic
                    .partitions()
                    .forEach(info -> partitions.add(new TopicPartition(name, info.partition()))));
    return partitions;
  }

  /** Those with the prefix, and of the others those that exist. */
  static Set<String> present(Admin admin, String prefix, Set<String> others) {
    Set<String> present = new TreeSet<>(KafkaAccess.await(admin.listTopics().names()));
    present.removeIf(topic -> !topic.startsWith(prefix) && !others.contains(topic));
    return present;
  }

  /** A map in the order of partitions. */
  static <T> Map<TopicPartition, T> ordered(Map<TopicPartition, T> map) {
    Map<TopicPartition, T> ordered = new TreeMap<>(ORDER);
    ordered.putAll(map);
    return ordered;
  }
}
