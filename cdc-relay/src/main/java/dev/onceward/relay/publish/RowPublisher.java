package dev.onceward.relay.publish;

import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.RecordBuilder;
import dev.onceward.event.route.TopicNames;
import java.time.Duration;
import java.util.List;

/**
 * Rows into records into Kafka, with the topics that they need. Confined to one thread, except
 * {@link #close}.
 */
public final class RowPublisher implements AutoCloseable {
  private final TopicNames topicNames;
  private final Partitioner partitioner;
  private final TopicCatalog topics;
  private final EventPublisher publisher;
  private final RecordBuilder routed;
  private final RecordBuilder unrouted;

  /**
   * Makes a publisher.
   *
   * @param patience how long a topic may be silent while the cluster answers
   */
  public RowPublisher(
      KafkaSettings kafka,
      TopicNames topicNames,
      Partitioner partitioner,
      TopicCatalog topics,
      PublishStatus status,
      Duration patience) {
    this.topicNames = topicNames;
    this.partitioner = partitioner;
    this.topics = topics;
    this.publisher = new EventPublisher(kafka, topics, status, patience);
    this.routed = new RecordBuilder(topicNames, partitioner, topics::partitionCount);
    this.unrouted = new RecordBuilder(topicNames, partitioner, topic -> 1);
  }

  /** The topic of a row. */
  public String topicOf(OutboxRow row) {
    return topicNames.topicOf(row.eventType(), row.aggregateType());
  }

  /** What a row's partition is computed from; rows with the same key keep their order. */
  public String keyOf(OutboxRow row) {
    return partitioner.keyOf(row);
  }

  /**
   * Whether a topic can be written to; asks Kafka where that is not known.
   *
   * @throws InterruptedException at once on an interrupt
   */
  public TopicCatalog.Look look(String topic) throws InterruptedException {
    return topics.look(topic);
  }

  /** The next {@link #look} asks Kafka again. */
  public void forget(String topic) {
    topics.forget(List.of(topic));
  }

  /**
   * The record of a row whose topic is ready.
   *
   * @throws IllegalArgumentException if the row is one that the table's checks refuse
   */
  public EventRecord build(OutboxRow row) {
    return routed.build(row);
  }

  /**
   * The record of a row whose topic's partitions are not known: its partition means nothing.
   *
   * @throws IllegalArgumentException if the row is one that the table's checks refuse
   */
  public EventRecord buildUnrouted(OutboxRow row) {
    return unrouted.build(row);
  }

  /** The partition of a key in a topic that is ready. */
  public int partitionOf(String topic, String key) {
    return Partitioner.partitionOf(key, topics.partitionCount(topic));
  }

  /**
   * Sends the records once, in order, and returns when each has ended one way or the other. While
   * the cluster is away that takes as long as it does.
   *
   * @param records of topics that are ready
   * @throws InterruptedException at once on an interrupt; some may have been written
   */
  public Attempt attempt(List<EventRecord> records) throws InterruptedException {
    return publisher.attempt(records);
  }

  @Override
  public void close() {
    publisher.close();
    topics.close();
  }
}
