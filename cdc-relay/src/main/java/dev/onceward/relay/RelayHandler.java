package dev.onceward.relay;

import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.event.route.RecordBuilder;
import dev.onceward.event.route.TopicNames;
import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.publish.EventPublisher;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.publish.TopicCatalog;
import dev.onceward.relay.publish.UnpublishableEventException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Row to record to Kafka. Returns from a batch only when Kafka has acknowledged all of it. Confined
 * to the stream's thread.
 */
final class RelayHandler implements ChangeHandler {
  private final TopicNames topicNames;
  private final RecordBuilder recordBuilder;
  private final TopicCatalog topics;
  private final EventPublisher publisher;
  private final RelayStatus status;
  private final PublishStatus publishing;
  private final RelayMetrics metrics;

  RelayHandler(
      RelayConfig config,
      TopicCatalog topics,
      EventPublisher publisher,
      RelayStatus status,
      PublishStatus publishing,
      RelayMetrics metrics) {
    this.topicNames = config.topicNames();
    this.recordBuilder =
        new RecordBuilder(config.topicNames(), config.partitioner(), topics::partitionCount);
    this.topics = topics;
    this.publisher = publisher;
    this.status = status;
    this.publishing = publishing;
    this.metrics = metrics;
  }

  @Override
  public void handle(List<CapturedEvent> events) throws InterruptedException {
    publishing.begin(events.size());
    status.batchInHand(events.get(0).committedAt());
    try {
      topics.ensure(topicsOf(events));
      List<EventRecord> records = records(events);
      publisher.publish(records);
      metrics.acknowledged(events, records);
    } finally {
      status.nothingInHand();
      publishing.end();
    }
  }

  private Set<String> topicsOf(List<CapturedEvent> events) {
    Set<String> needed = new LinkedHashSet<>();
    for (CapturedEvent event : events) {
      needed.add(topicNames.topicOf(event.row().eventType(), event.row().aggregateType()));
    }
    return needed;
  }

  private List<EventRecord> records(List<CapturedEvent> events) {
    List<EventRecord> records = new ArrayList<>(events.size());
    for (CapturedEvent event : events) {
      OutboxRow row = event.row();
      try {
        records.add(recordBuilder.build(row));
      } catch (IllegalArgumentException e) {
        throw new UnpublishableEventException(row.id(), "the row has no record form", e);
      }
    }
    return records;
  }
}
