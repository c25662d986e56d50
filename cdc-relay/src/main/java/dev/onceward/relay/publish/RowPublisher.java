package dev.onceward.relay.publish;

import dev.onceward.event.EventHeaders;
import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.RecordBuilder;
import dev.onceward.event.route.TopicNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Rows into records into Kafka, with the topics that they need. Confined to one thread, except
 * {@link #close}.
 */
public final class RowPublisher implements AutoCloseable {
  private final TopicNames topicNames;
  private final TopicCatalog topics;
  private final EventPublisher publisher;
  private final RecordBuilder recordBuilder;

  public RowPublisher(
      KafkaSettings kafka,
      TopicNames topicNames,
      Partitioner partitioner,
      TopicCatalog topics,
      PublishStatus status) {
    this.topicNames = topicNames;
    this.topics = topics;
    this.publisher = new EventPublisher(kafka, topics, status);
    this.recordBuilder = new RecordBuilder(topicNames, partitioner, topics::partitionCount);
  }

  /**
   * Publishes rows in their order and returns when Kafka has acknowledged them all, however long
   * that takes.
   *
   * @throws UnpublishableEventException if one cannot be sent for what it is; others may have been
   * @throws InterruptedException at once on an interrupt; some may have been written
   */
  public List<Acknowledged> publish(List<OutboxRow> rows) throws InterruptedException {
    return publisher.publish(records(rows));
  }

  /** Like {@link #publish}, for events that come late because an audit found them missing. */
  public List<Acknowledged> publishRepair(List<OutboxRow> rows) throws InterruptedException {
    List<EventRecord> marked = new ArrayList<>(rows.size());
    for (EventRecord record : records(rows)) {
      marked.add(record.withHeader(EventHeaders.AUDIT_REPAIR, "true"));
    }
    return publisher.publish(marked);
  }

  private List<EventRecord> records(List<OutboxRow> rows) throws InterruptedException {
    topics.ensure(topicsOf(rows));
    List<EventRecord> records = new ArrayList<>(rows.size());
    for (OutboxRow row : rows) {
      try {
        records.add(recordBuilder.build(row));
      } catch (IllegalArgumentException e) {
        throw new UnpublishableEventException(row.id(), "the row has no record form", e);
      }
    }
    return records;
  }

  private Set<String> topicsOf(List<OutboxRow> rows) {
    Set<String> needed = new LinkedHashSet<>();
    for (OutboxRow row : rows) {
      needed.add(topicNames.topicOf(row.eventType(), row.aggregateType()));
    }
    return needed;
  }

  @Override
  public void close() {
    publisher.close();
    topics.close();
  }
}
