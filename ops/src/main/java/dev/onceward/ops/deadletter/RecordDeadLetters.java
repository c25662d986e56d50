package dev.onceward.ops.deadletter;

import dev.onceward.event.route.TopicNames;
import dev.onceward.ops.kafka.KafkaAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The records in the dead-letter topics of our topics. Confined to one thread. */
final class RecordDeadLetters {

  private final KafkaAccess kafka;
  private final TopicNames names;

  /**
   * @param names of the topics that are ours
   */
  RecordDeadLetters(KafkaAccess kafka, TopicNames names) {
    this.kafka = kafka;
    this.names = names;
  }

  /** A record with its content, and what is known of it. */
  record Found(DeadLetter letter, ConsumerRecord<byte[], byte[]> record) {}

  /**
   * Gives those that are open, or those that were discarded; never those that were redriven.
   *
   * @param connection to look up what was done to them
   */
  void forEach(
      Connection connection, DeadLetterFilter filter, boolean discarded, Consumer<DeadLetter> each)
      throws SQLException {
    Map<String, Topic> topics = topics(connection);
    try (TopicReader reader = new TopicReader(kafka)) {
      reader.readAll(
          partitions(topics.values()),
          filter.since(),
          record -> {
            DeadLetter letter = letter(topics, record);
            boolean wanted =
                discarded ? letter.state().equals(DeadLetter.DISCARDED) : letter.isOpen();
            if (wanted && filter.matches(letter)) {
              each.accept(letter);
            }
          });
    }
  }

  /** The record at a place, whatever was done to it; empty if there is none. */
  Optional<Found> find(Connection connection, RecordPlace.Written place) throws SQLException {
    Map<String, Topic> topics = topics(connection);
    Topic topic = topics.get(place.topic());
    if (topic == null || place.partition() >= topic.partitions()) {
      return Optional.empty();
    }
    List<Found> found = new ArrayList<>();
    TopicPartition partition = new TopicPartition(place.topic(), place.partition());
    try (TopicReader reader = new TopicReader(kafka)) {
      reader.readAt(
          Map.of(partition, new TreeSet<>(List.of(place.topicOffset()))),
          record -> found.add(new Found(letter(topics, record), record)));
    }
    return found.stream().findFirst();
  }

  /** Takes records with their content. */
  @FunctionalInterface
  interface Sink {
    void accept(Found found) throws SQLException;
  }

  /** Reads the content of these, those of one partition in their order. */
  void read(Collection<DeadLetter> letters, Sink each) throws SQLException {
    Map<TopicPartition, NavigableSet<Long>> places = new HashMap<>();
    Map<String, DeadLetter> byId = new HashMap<>();
    for (DeadLetter letter : letters) {
      RecordPlace place = Objects.requireNonNull(letter.place());
      byId.put(letter.id(), letter);
      places
          .computeIfAbsent(
              new TopicPartition(place.topic(), place.partition()), ignored -> new TreeSet<>())
          .add(place.topicOffset());
    }
    try (TopicReader reader = new TopicReader(kafka)) {
      reader.readAt(
          places,
          record -> {
            DeadLetter letter = byId.get(idOf(record));
            if (letter != null) {
              each.accept(new Found(letter, record));
            }
          });
    }
  }

  /** How many partitions a topic has: none if it does not exist. */
  int partitionCount(String topic) {
    try (Admin admin = kafka.admin()) {
      return KafkaAccess.await(admin.listTopics().names()).contains(topic)
          ? KafkaAccess.await(admin.describeTopics(List.of(topic)).allTopicNames())
              .values()
              .stream()
              .mapToInt(found -> found.partitions().size())
              .sum()
          : 0;
    }
  }

  /**
   * A dead-letter topic.
   *
   * @param id of its present life
   * @param acts what was done to its records
   */
  private record Topic(
      String name, UUID id, int partitions, Map<DeadLetterActStore.Spot, String> acts) {}

  private Map<String, Topic> topics(Connection connection) throws SQLException {
    Map<String, TopicDescription> described;
    try (Admin admin = kafka.admin()) {
      List<String> names =
          KafkaAccess.await(admin.listTopics().names()).stream().filter(this::isOurs).toList();
      described = KafkaAccess.await(admin.describeTopics(names).allTopicNames());
    }
    Map<String, Topic> topics = new TreeMap<>();
    for (TopicDescription one : described.values()) {
      UUID id =
          new UUID(one.topicId().getMostSignificantBits(), one.topicId().getLeastSignificantBits());
      topics.put(
          one.name(),
          new Topic(
              one.name(), id, one.partitions().size(), DeadLetterActStore.ofTopic(connection, id)));
    }
    return topics;
  }

  private boolean isOurs(String topic) {
    return TopicNames.isDeadLetter(topic)
        && (topic.startsWith(names.prefix())
            || names.routes().values().stream()
                .anyMatch(routed -> TopicNames.deadLetterOf(routed).equals(topic)));
  }

  private static List<TopicPartition> partitions(Collection<Topic> topics) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (Topic topic : topics) {
      for (int partition = 0; partition < topic.partitions(); partition++) {
        partitions.add(new TopicPartition(topic.name(), partition));
      }
    }
    return partitions;
  }

  private static DeadLetter letter(
      Map<String, Topic> topics, ConsumerRecord<byte[], byte[]> record) {
    Topic topic = Objects.requireNonNull(topics.get(record.topic()));
    String act = topic.acts().get(new DeadLetterActStore.Spot(record.partition(), record.offset()));
    return SetAsideRecord.describe(record, topic.id(), act == null ? DeadLetter.DEAD_LETTER : act);
  }

  private static String idOf(ConsumerRecord<byte[], byte[]> record) {
    return record.topic() + "/" + record.partition() + "/" + record.offset();
  }
}
