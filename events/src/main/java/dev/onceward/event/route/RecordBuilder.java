package dev.onceward.event.route;

import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.EventHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Builds the record of a row. Immutable; as thread-safe as the function it is given. */
public final class RecordBuilder {
  private final TopicNames topicNames;
  private final Partitioner partitioner;
  private final ToIntFunction<String> partitionCounts;

  /**
   * Makes a builder.
   *
   * @param topicNames which topic a row goes to
   * @param partitioner which partition
   * @param partitionCounts topic → its pinned number of partitions; what it throws passes through
   *     {@link #build}
   */
  public RecordBuilder(
      TopicNames topicNames, Partitioner partitioner, ToIntFunction<String> partitionCounts) {
    this.topicNames = topicNames;
    this.partitioner = partitioner;
    this.partitionCounts = partitionCounts;
  }

  /**
   * The record of a row.
   *
   * @throws IllegalArgumentException if the row is one that the table's checks refuse
   */
  public EventRecord build(OutboxRow row) {
    String topic = topicNames.topicOf(row.eventType(), row.aggregateType());
    return new EventRecord(
        row.id(),
        topic,
        partitioner.partitionOf(row, partitionCounts.applyAsInt(topic)),
        row.id().toString().getBytes(StandardCharsets.US_ASCII),
        EnvelopeCodec.encode(row.toEnvelope()),
        headers(row));
  }

  private static List<Header> headers(OutboxRow row) {
    Header eventType = header(EventHeaders.EVENT_TYPE, row.eventType());
    Header workspaceId = header(EventHeaders.WORKSPACE_ID, row.workspaceId().toString());
    Header version = header(EventHeaders.PAYLOAD_VERSION, Integer.toString(row.payloadVersion()));
    String traceparent = row.traceparent();
    return traceparent == null
        ? List.of(eventType, workspaceId, version)
        : List.of(eventType, workspaceId, version, header(EventHeaders.TRACEPARENT, traceparent));
  }

  private static Header header(String name, String text) {
    return new RecordHeader(name, text.getBytes(StandardCharsets.UTF_8));
  }
}
