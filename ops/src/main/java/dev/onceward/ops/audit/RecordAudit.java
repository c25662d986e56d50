package dev.onceward.ops.audit;

import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.UndecodableRecordException;
import dev.onceward.event.route.TopicNames;
import dev.onceward.ops.audit.AggregateOrder.Compared;
import dev.onceward.ops.audit.Finding.Kind;
import dev.onceward.ops.kafka.PartitionScan;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Compares records with the rows of one portion. Confined to one thread. */
final class RecordAudit implements PartitionScan.Visitor<SQLException> {
  private static final int UUID_LENGTH = 36;

  /** Records without a row are looked up together. */
  private static final int LOOKED_UP = 1_000;

  private final AuditScope scope;
  private final OutboxPortion portion;
  private final UUID firstId;
  private final UUID endId;
  private final TopicNames names;
  private final AuditStore store;
  private final AuditTally tally;
  private final @Nullable AggregateOrder order;
  private final Map<TopicPartition, Integer> partitionNumbers = new HashMap<>();
  private final List<Finding> withoutRow = new ArrayList<>();

  /**
   * Compares with a portion.
   *
   * @param firstId where the portion begins
   * @param endId where it ends
   * @param ordered whether the relay keeps the order of an aggregate
   */
  RecordAudit(
      AuditScope scope,
      OutboxPortion portion,
      UUID firstId,
      UUID endId,
      TopicNames names,
      AuditStore store,
      AuditTally tally,
      boolean ordered) {
    this.scope = scope;
    this.portion = portion;
    this.firstId = firstId;
    this.endId = endId;
    this.names = names;
    this.store = store;
    this.tally = tally;
    this.order = ordered ? new AggregateOrder(portion) : null;
  }

  @Override
  public void visit(ConsumerRecord<byte[], byte[]> record) throws SQLException {
    UUID id = idOf(record.key());
    int row = id == null ? -1 : portion.find(id);
    if (id != null && row < 0 && !inPortion(id)) {
      return;
    }
    Envelope envelope = id == null ? null : decode(record.value());
    if (envelope == null || !envelope.eventId().equals(id)) {
      // Later portions read the same stretch again.
      if (firstId.equals(scope.firstId())) {
        tally.unreadable++;
      }
      return;
    }
    // Only records on the event's own topic count: a private replay went elsewhere.
    if (!record.topic().equals(names.topicOf(envelope.eventType(), envelope.aggregateType()))) {
      return;
    }
    UUID wanted = scope.workspaceId();
    if (wanted != null && !wanted.equals(envelope.workspaceId())) {
      return;
    }
    if (row < 0) {
      withoutRow.add(finding(Kind.PHANTOM, envelope, place(record) + ", and no row"));
      if (withoutRow.size() == LOOKED_UP) {
        lookUp();
      }
    } else {
      count(record, envelope, row);
    }
  }

  private void count(ConsumerRecord<byte[], byte[]> record, Envelope envelope, int row) {
    boolean replay = EventHeaders.text(record.headers(), EventHeaders.REPLAY_ID).isPresent();
    boolean repair = EventHeaders.text(record.headers(), EventHeaders.AUDIT_REPAIR).isPresent();
    if (portion.has(row, OutboxPortion.CARRIED)) {
      if (!replay && !repair && !portion.has(row, OutboxPortion.ORIGINAL)) {
        portion.mark(row, OutboxPortion.ORIGINAL);
        compareOrder(record, envelope, row);
      }
    } else if (replay) {
      tally.replays++;
      portion.mark(row, OutboxPortion.SENT_AGAIN);
    } else if (repair) {
      tally.repairs++;
      portion.mark(row, OutboxPortion.SENT_AGAIN);
    } else if (portion.has(row, OutboxPortion.ORIGINAL)) {
      tally.originals++;
      tally.add(finding(Kind.DUPLICATE, envelope, "again at " + place(record)));
    } else {
      tally.originals++;
      portion.mark(row, OutboxPortion.ORIGINAL);
      compareOrder(record, envelope, row);
    }
  }

  private void compareOrder(ConsumerRecord<byte[], byte[]> record, Envelope envelope, int row) {
    if (order == null) {
      return;
    }
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    int number = partitionNumbers.computeIfAbsent(partition, p -> partitionNumbers.size());
    Compared compared = order.next(number, row);
    int earlier = compared.earlierRow();
    if (portion.has(row, OutboxPortion.CARRIED)
        && (earlier < 0 || portion.has(earlier, OutboxPortion.CARRIED))) {
      return; // Told with their own portion.
    }
    switch (compared.order()) {
      case RIGHT -> {}
      case UNKNOWN -> tally.orderUnknown++;
      case WRONG ->
          tally.add(
              finding(
                  Kind.OUT_OF_ORDER,
                  envelope,
                  place(record)
                      + ", behind "
                      + portion.id(earlier)
                      + " of the same aggregate, which was committed later"));
    }
  }

  /** Ends the reading: what has no row still is looked up once more. */
  void lookUp() throws SQLException {
    if (withoutRow.isEmpty()) {
      return;
    }
    List<UUID> ids = new ArrayList<>();
    for (Finding finding : withoutRow) {
      UUID id = finding.eventId();
      if (id != null) {
        ids.add(id);
      }
    }
    Set<UUID> young = store.present(ids);
    withoutRow.stream().filter(finding -> !young.contains(finding.eventId())).forEach(tally::add);
    withoutRow.clear();
  }

  private boolean inPortion(UUID id) {
    return compare(id, firstId) >= 0 && compare(id, endId) < 0;
  }

  /** The order of PostgreSQL, which is not Java's. */
  private static int compare(UUID one, UUID other) {
    int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
  }

  private static @Nullable UUID idOf(byte @Nullable [] key) {
    if (key == null || key.length != UUID_LENGTH) {
      return null;
    }
    try {
      return UUID.fromString(new String(key, StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable Envelope decode(byte @Nullable [] value) {
    try {
      return EnvelopeCodec.decode(value);
    } catch (UndecodableRecordException e) {
      return null;
    }
  }

  private static Finding finding(Kind kind, Envelope envelope, String what) {
    return new Finding(
        kind, envelope.eventId(), null, envelope.workspaceId(), envelope.eventType(), what);
  }

  private static String place(ConsumerRecord<byte[], byte[]> record) {
    return record.topic() + "-" + record.partition() + " at topic offset " + record.offset();
  }
}
