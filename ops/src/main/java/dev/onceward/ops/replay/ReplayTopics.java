package dev.onceward.ops.replay;

import dev.onceward.event.route.TopicNames;
import dev.onceward.ops.Refusal;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.process.StartupException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.Topic;
import org.jspecify.annotations.Nullable;

/** The topics of a replay in Kafka. Stateless but for the client; confined to one thread. */
final class ReplayTopics {

  /** What an aggregate type can be, as the outbox checks it. */
  private static final String AGGREGATE_TYPE = "[a-z][a-z0-9_]*";

  private final Admin admin;
  private final TopicNames names;
  private final Map<String, Integer> pinned;

  /**
   * @param pinned topic → partition count that the relay has pinned
   */
  ReplayTopics(Admin admin, TopicNames names, Map<String, Integer> pinned) {
    this.admin = admin;
    this.names = names;
    this.pinned = Map.copyOf(pinned);
  }

  /**
   * Where a replay would go.
   *
   * @param topics name → partitions that are used
   * @param isMissing whether the topic (a private one) must be made
   */
  record Plan(Map<String, Integer> topics, boolean isMissing) {
    Plan {
      topics = Map.copyOf(topics);
    }
  }

  /**
   * Checks that all chosen events can be sent.
   *
   * @param toTopic the private topic, or null
   * @throws StartupException if a topic is missing, has too few partitions, or is no private one
   */
  Plan plan(Census census, @Nullable String toTopic) {
    Map<String, Integer> own = new TreeMap<>();
    for (Census.Kind kind : census.kinds()) {
      if (kind.chosenCount() > 0) {
        String topic = names.topicOf(kind.eventType(), kind.aggregateType());
        Integer partitions = pinned.get(topic);
        if (partitions == null) {
          throw Refusal.of(
              "the relay has never sent to topic " + topic + ", where such events belong",
              "Check onceward.topic-prefix and onceward.relay.slot-name: they must be the relay's");
        }
        own.put(topic, partitions);
      }
    }
    if (toTopic == null) {
      own.forEach((topic, partitions) -> requirePartitions(topic, partitions, describe(topic)));
      return new Plan(own, false);
    }
    requirePrivate(toTopic);
    int most = own.values().stream().mapToInt(Integer::intValue).max().orElse(1);
    TopicDescription present = describe(toTopic);
    if (present != null) {
      requirePartitions(toTopic, most, present);
    }
    return new Plan(Map.of(toTopic, most), present == null);
  }

  private void requirePrivate(String topic) {
    if (!Topic.isValid(topic)) {
      throw Refusal.of(
          "\"" + topic + "\" is no legal name of a topic",
          "Use 1 to 249 of the characters A-Z a-z 0-9 . _ -");
    }
    boolean isOwn =
        topic.startsWith(names.prefix())
            && topic.substring(names.prefix().length()).matches(AGGREGATE_TYPE);
    if (isOwn
        || pinned.containsKey(topic)
        || names.routes().containsValue(topic)
        || Topic.isInternal(topic)) {
      throw Refusal.of(
          "topic " + topic + " is not private: events have it, or can have it, as their own",
          "Choose a name that no aggregate type leads to, such as " + names.prefix() + "replay-1");
    }
    if (TopicNames.isDeadLetter(topic)) {
      throw Refusal.of("topic " + topic + " is one of dead letters", "Choose another name");
    }
  }

  private static void requirePartitions(
      String topic, int wanted, @Nullable TopicDescription present) {
    if (present == null) {
      throw StartupException.unavailable(
          "topic " + topic + " does not exist",
          "Let the relay make it again, or replay with --to-topic",
          null);
    }
    if (present.partitions().size() < wanted) {
      throw Refusal.of(
          "topic "
              + topic
              + " has "
              + present.partitions().size()
              + " partitions, and "
              + wanted
              + " are needed to keep each event in its partition",
          "Give it more, or name another one");
    }
  }

  private @Nullable TopicDescription describe(String topic) {
    try {
      return KafkaAccess.await(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
    } catch (UnknownTopicOrPartitionException e) {
      return null;
    }
  }

  /** Makes the private topic, with as many copies as the events' own topics have. */
  void make(String topic, int partitions) {
    short copies = 1;
    for (String own : new TreeSet<>(pinned.keySet())) {
      TopicDescription present = describe(own);
      if (present != null) {
        copies = (short) Math.max(copies, present.partitions().get(0).replicas().size());
      }
    }
    try {
      KafkaAccess.await(admin.createTopics(List.of(new NewTopic(topic, partitions, copies))).all());
    } catch (TopicExistsException e) {
      // Somebody was quicker; the positions are taken from what there is.
    }
  }

  /**
   * Where the topics end now.
   *
   * @throws StartupException if one of them is missing
   */
  KafkaPositions ends(Set<String> topics) {
    Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
    Map<String, TopicDescription> present = new TreeMap<>();
    for (String topic : topics) {
      TopicDescription description = describe(topic);
      requirePartitions(topic, 1, description);
      if (description != null) {
        present.put(topic, description);
        description
            .partitions()
            .forEach(
                info ->
                    wanted.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest()));
      }
    }
    var ends = KafkaAccess.await(admin.listOffsets(wanted).all());
    Map<String, KafkaPositions.Topic> positions = new TreeMap<>();
    present.forEach(
        (topic, description) -> {
          List<Long> offsets = new ArrayList<>();
          for (int i = 0; i < description.partitions().size(); i++) {
            var end = ends.get(new TopicPartition(topic, i));
            offsets.add(end == null ? 0L : end.offset());
          }
          positions.put(topic, new KafkaPositions.Topic(description.topicId().toString(), offsets));
        });
    return new KafkaPositions(positions);
  }
}
