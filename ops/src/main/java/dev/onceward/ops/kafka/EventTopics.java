package dev.onceward.ops.kafka;

import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.TopicNames;
import dev.onceward.process.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the relay puts events, by the same settings as its own. Immutable.
 *
 * @param names which topic an event goes to
 * @param partitioner which partition of it
 */
public record EventTopics(TopicNames names, Partitioner partitioner) {

  private static final String PREFIX = "onceward.topic-prefix";
  private static final String ROUTES = "onceward.topic-routes";

  /** Reads the settings; the caller verifies them. */
  public static EventTopics from(Settings settings) {
    TopicNames names = names(settings);
    Partitioner partitioner =
        settings.enumeration(
            "onceward.relay.partition-by",
            Partitioner.AGGREGATE,
            "What decides an event's partition; as the relay has it.");
    return new EventTopics(names, partitioner);
  }

  /** Reads the names alone, for who looks into no partition; the caller verifies. */
  public static TopicNames names(Settings settings) {
    String prefix =
        settings.text(PREFIX, TopicNames.DEFAULT_PREFIX, "What topic names begin with.");
    String routes =
        settings.optionalText(
            ROUTES,
            "Topics of their own, TYPE=TOPIC[,TYPE=TOPIC], by event type or aggregate type; the same"
                + " for all processes.");
    TopicNames byPrefix =
        settings.made(
            PREFIX,
            prefix,
            TopicNames::withPrefix,
            TopicNames.withPrefix(TopicNames.DEFAULT_PREFIX));
    return routes == null
        ? byPrefix
        : settings.made(
            ROUTES, routes, text -> TopicNames.parse(byPrefix.prefix(), text), byPrefix);
  }

  /**
   * The partitions of all topics that can hold events, without dead-letter topics.
   *
   * @param pinned topics that count besides those with our names
   */
  public List<TopicPartition> partitions(
      Consumer<byte[], byte[]> consumer, Collection<String> pinned) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (Map.Entry<String, List<PartitionInfo>> topic : consumer.listTopics().entrySet()) {
      String name = topic.getKey();
      boolean ours =
          pinned.contains(name)
              || names.routes().containsValue(name)
              || (name.startsWith(names.prefix()) && !TopicNames.isDeadLetter(name));
      if (ours) {
        topic
            .getValue()
            .forEach(info -> partitions.add(new TopicPartition(name, info.partition())));
      }
    }
    return partitions;
  }
}
