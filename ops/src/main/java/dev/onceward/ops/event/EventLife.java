package dev.onceward.ops.event;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event from its row to its records. Immutable.
 *
 * @param row what the outbox holds of it; null if retention has dropped it
 * @param parked what the relay could not send; null if it could
 * @param status as the view says it; {@code dropped} where the outbox holds it no more
 * @param expected topic and partition where it belongs, such as {@code onceward.store-3}; null
 *     where that is not known
 * @param records in Kafka, in the order of their times
 */
public record EventLife(
    UUID id,
    @Nullable Row row,
    @Nullable Parked parked,
    String status,
    @Nullable String expected,
    List<FoundRecord> records) {

  public EventLife {
    records = List.copyOf(records);
  }

  /** The time in the id. */
  public Instant occurredAt() {
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
  }

  EventLife withRecords(@Nullable String place, List<FoundRecord> found) {
    return new EventLife(id, row, parked, status, place, found);
  }

  /** Those on the event's own topic. */
  List<FoundRecord> delivered() {
    return records.stream().filter(record -> record.deadLetterReason() == null).toList();
  }

  /**
   * The row.
   *
   * @param transactionAt when the transaction began, by the database's clock
   * @param committedAt null where the server keeps no commit times
   * @param seenByWatermark whether the relay's audited snapshot sees the transaction
   * @param payload null unless asked for
   */
  public record Row(
      UUID workspaceId,
      String eventType,
      int payloadVersion,
      String aggregateType,
      String aggregateId,
      String resourceType,
      String resourceId,
      @Nullable String businessKey,
      @Nullable String requestId,
      @Nullable String correlationId,
      @Nullable String traceparent,
      String xid,
      Instant transactionAt,
      @Nullable Instant committedAt,
      boolean seenByWatermark,
      @Nullable String payload) {}

  /** What stands in {@code parked_events}. */
  public record Parked(
      String status,
      String topic,
      Instant parkedAt,
      int attempts,
      Instant nextAttemptAt,
      @Nullable String code,
      @Nullable String summary,
      @Nullable UUID replayId) {}

  /**
   * A record with the event's key.
   *
   * @param at the record's own timestamp
   * @param sentAs {@code original}, {@code audit repair}, {@code replay ID} or {@code dead letter}
   * @param deadLetterReason why a consumer set it aside; null on the event's own topic
   */
  public record FoundRecord(
      String topic,
      int partition,
      long topicOffset,
      Instant at,
      String sentAs,
      @Nullable String deadLetterReason) {

    String place() {
      return topic + "-" + partition + " at topic offset " + topicOffset;
    }
  }
}
