package dev.onceward.relay.audit;

import dev.onceward.db.relay.Snapshot;
import dev.onceward.relay.park.Deliveries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this term knows to be delivered and the audit has not checked yet, by transaction. The
 * stream writes it, the audit strikes it. Beyond a limit only the place in Kafka is remembered.
 * Thread-safe.
 */
public final class DeliveryLedger implements Deliveries {
  private static final Logger LOG = LoggerFactory.getLogger(DeliveryLedger.class);

  /** What the record of a transaction takes, in events. */
  private static final int TRANSACTION_EVENTS = 10;

  private final int limit;
  private final Map<Long, Delivered> transactions = new HashMap<>();
  private final KafkaPositions ends;
  private final KnownEvents known;
  private final Spill spill = new Spill();
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
   * @param limit how many events it remembers one by one; a transaction takes the room of ten
   */
  DeliveryLedger(KnownEvents known, int limit) {
    this.known = known;
    this.limit = limit;
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
  public synchronized void parkedDelivered(
      long xid, UUID id, TopicPartition partition, long offset) {
    // If its transaction is audited already, the next step of the audit forgets this at once.
    Delivered delivered = of(xid);
    if (delivered.ids.add(id)) {
      // It was forgotten or audited meanwhile: no row need come for it.
      remembered++;
      delivered.struck++;
    }
    delivered.lowest.merge(partition, offset, Math::min);
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

  /** Whether the event is remembered as delivered, by this term or an earlier one. */
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
   * Keeps within the limit, if it is passed: forgets the events of transactions and remembers where
   * in Kafka they are. First of those that the audit is soon to see anyway; if that is not enough,
   * of all.
   *
   * @param delivered the newest snapshot that the audit has been told of
   * @param coming the next one that it will be told of
   */
  public synchronized void keepWithinLimit(Snapshot delivered, Snapshot coming) {
    if (weight() <= limit) {
      return;
    }
    boolean begins = spill.isEmpty();
    fold(delivered, false);
    if (2 * weight() > limit) {
      fold(coming, true);
    }
    if (begins) {
      LOG.info(
          "More delivered events wait for their audit than are remembered"
              + " (onceward.relay.audit-remembered-events is {}); the audit will read the others"
              + " back from Kafka",
          limit);
    }
  }

  private long weight() {
    return remembered + (long) TRANSACTION_EVENTS * transactions.size();
  }

  private void fold(Snapshot horizon, boolean all) {
    long lowestXid = Long.MAX_VALUE;
    long highestXid = Long.MIN_VALUE;
    List<Long> unseen = new ArrayList<>();
    Map<TopicPartition, Long> starts = new HashMap<>();
    for (Iterator<Map.Entry<Long, Delivered>> each = transactions.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Long, Delivered> transaction = each.next();
      long xid = transaction.getKey();
      boolean seen = horizon.sees(xid);
      if (seen || all) {
        if (!seen) {
          unseen.add(xid);
        }
        Delivered delivered = transaction.getValue();
        lowestXid = Math.min(lowestXid, xid);
        highestXid = Math.max(highestXid, xid);
        delivered.lowest.forEach((partition, offset) -> starts.merge(partition, offset, Math::min));
        remembered -= delivered.ids.size();
        each.remove();
      }
    }
    if (!starts.isEmpty()) {
      Map<TopicPartition, Long> behind = new HashMap<>();
      starts.keySet().forEach(partition -> behind.put(partition, ends.offsetOf(partition)));
      spill.add(new Stretch(lowestXid, highestXid, horizon, unseen, starts, behind));
    }
  }

  /** Where in Kafka events are that are delivered and not remembered one by one. */
  synchronized List<Stretch> forgotten() {
    List<Stretch> stretches = new ArrayList<>(spill.stretches());
    known.older().ifPresent(stretches::add);
    return stretches;
  }

  /** Whether there are such. */
  synchronized boolean hasForgotten() {
    return !spill.isEmpty() || known.older().isPresent();
  }

  /**
   * Forgets every transaction that the snapshot sees, row or no row.
   *
   * @return how many delivered events no row was found for, of those remembered one by one: of the
   *     others nobody knows how many there were
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
    spill.audited(audited);
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
    spill.lowerTo(positions);
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

  /** The most that it remembers. */
  int limit() {
    return limit;
  }

  /** How many events are remembered one by one. */
  public synchronized long remembered() {
    return remembered;
  }
}
