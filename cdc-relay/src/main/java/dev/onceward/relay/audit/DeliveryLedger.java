package dev.onceward.relay.audit;

import dev.onceward.db.relay.Snapshot;
import dev.onceward.relay.park.Deliveries;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;

/**
 * What this term knows to be delivered and the audit has not checked yet, by transaction. The
 * stream writes it, the audit strikes it. Thread-safe.
 */
public final class DeliveryLedger implements Deliveries {
  private final Map<Long, Delivered> transactions = new HashMap<>();
  private final KafkaPositions ends;
  private final KnownEvents known;
  private long remembered;

  /** The events of one transaction. */
  private static final class Delivered {
    final EventIds ids = new EventIds();
    final Map<TopicPartition, Long> lowest = new HashMap<>(2);
    int struck;
  }

  /**
   * Makes an empty ledger.
   *
   * @param known what Kafka held when the term began
   */
  DeliveryLedger(KnownEvents known) {
    this.known = known;
    this.ends = known.ends().copy();
  }

  /** Kafka has acknowledged an event. */
  public synchronized void acknowledged(long xid, UUID id, TopicPartition partition, long offset) {
    Delivered delivered = of(xid);
    if (delivered.ids.add(id)) {
      remembered++;
    }
    delivered.lowest.merge(partition, offset, Math::min);
    ends.raise(partition, offset + 1);
  }

  /** An event was sent outside the stream's order; nothing is remembered of it but the end. */
  public synchronized void repaired(TopicPartition partition, long offset) {
    ends.raise(partition, offset + 1);
  }

  @Override
  public synchronized boolean inKafka(UUID eventId) {
    return known.contains(eventId);
  }

  @Override
  public synchronized void parkedDelivered(long xid, TopicPartition partition, long offset) {
    // If its transaction is audited already, the next step of the audit forgets this at once.
    of(xid).lowest.merge(partition, offset, Math::min);
    ends.raise(partition, offset + 1);
  }

  @Override
  public synchronized void parked(long xid, UUID id) {
    if (of(xid).ids.add(id)) {
      remembered++;
    }
  }

  private Delivered of(long xid) {
    return transactions.computeIfAbsent(xid, ignored -> new Delivered());
  }

  /** Whether the event is known to be delivered, by this term or an earlier one. */
  public synchronized boolean holds(long xid, UUID id) {
    Delivered delivered = transactions.get(xid);
    return (delivered != null && delivered.ids.contains(id)) || known.contains(id);
  }

  /** Compares a row with the ledger: whether it is delivered. */
  synchronized boolean strike(long xid, UUID id) {
    Delivered delivered = transactions.get(xid);
    if (delivered != null && delivered.ids.contains(id)) {
      delivered.struck++;
      return true;
    }
    return known.contains(id);
  }

  /**
   * Forgets every transaction that the snapshot sees, row or no row.
   *
   * @return how many delivered events no row was found for
   */
  synchronized long forget(Snapshot audited) {
    long unseen = 0;
    for (Iterator<Map.Entry<Long, Delivered>> all = transactions.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<Long, Delivered> transaction = all.next();
      if (audited.sees(transaction.getKey())) {
        Delivered delivered = transaction.getValue();
        unseen += Math.max(0, delivered.ids.size() - delivered.struck);
        remembered -= delivered.ids.size();
        all.remove();
      }
    }
    known.audited(audited);
    return unseen;
  }

  /**
   * From where Kafka must be read to find all that is delivered and not audited: for each partition
   * the lowest such event, or else its end.
   */
  synchronized KafkaPositions positions() {
    KafkaPositions positions = ends.copy();
    for (Delivered delivered : transactions.values()) {
      delivered.lowest.forEach(positions::lower);
    }
    known.lowerTo(positions);
    return positions;
  }

  /** Topics that events went to and whose ids are not known. */
  synchronized Set<String> unknownTopics() {
    return ends.unknownTopics();
  }

  synchronized void learn(Map<String, String> topicIds) {
    ends.learn(topicIds);
  }

  /** How many events are remembered. */
  public synchronized long remembered() {
    return remembered;
  }
}
