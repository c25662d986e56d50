package dev.onceward.relay.audit;

import dev.onceward.event.route.OutboxRow;
import dev.onceward.relay.park.Departure;
import dev.onceward.relay.park.EventDispatcher;
import dev.onceward.relay.publish.Acknowledged;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One step's comparing of rows with what is delivered. What the ledger does not know is only a
 * candidate while it has forgotten some of it; Kafka is then read for many candidates at once.
 * Confined to one thread.
 */
final class Comparison {
  private static final Logger LOG = LoggerFactory.getLogger(Comparison.class);

  /** How many missing events are published together. */
  private static final int REPAIR_EVENTS = 1_000;

  private final Connection connection;
  private final DeliveryLedger ledger;
  private final KafkaTail tail;
  private final EventDispatcher dispatcher;
  private final Candidates candidates = new Candidates();
  private long filled;

  Comparison(
      Connection connection, DeliveryLedger ledger, KafkaTail tail, EventDispatcher dispatcher) {
    this.connection = connection;
    this.ledger = ledger;
    this.tail = tail;
    this.dispatcher = dispatcher;
  }

  /** Takes the next row of the step. */
  void visit(UUID id, long xid) throws SQLException, InterruptedException {
    if (!ledger.strike(xid, id)) {
      candidates.add(id, xid);
      if (candidates.size() >= (ledger.hasForgotten() ? ledger.limit() : REPAIR_EVENTS)) {
        settle();
      }
    }
  }

  /** After the last row; how many missing events were published. */
  long finish() throws SQLException, InterruptedException {
    settle();
    return filled;
  }

  private void settle() throws SQLException, InterruptedException {
    // Parked ones first: one that is sent now has a row there, or stands in the ledger or in Kafka.
    strikeParked();
    if (ledger.hasForgotten()) {
      strikeRemembered();
      strikeForgotten();
    }
    for (int row = candidates.next(0); row < candidates.size(); ) {
      Map<UUID, Long> missing = new LinkedHashMap<>();
      row = collect(row, missing);
      repair(missing);
    }
    candidates.clear();
  }

  private void strikeParked() throws SQLException, InterruptedException {
    for (int row = candidates.next(0); row < candidates.size(); ) {
      Map<UUID, Long> some = new LinkedHashMap<>();
      row = collect(row, some);
      for (UUID parked : OutboxRows.parked(connection, some.keySet())) {
        candidates.strike(candidates.find(parked));
      }
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while comparing");
      }
    }
  }

  /** A portion of what is not struck, from there; where the next begins. */
  private int collect(int from, Map<UUID, Long> portion) {
    int row = from;
    while (row < candidates.size() && portion.size() < REPAIR_EVENTS) {
      portion.put(candidates.id(row), candidates.xid(row));
      row = candidates.next(row + 1);
    }
    return row;
  }

  private void strikeRemembered() {
    for (int row = candidates.next(0); row < candidates.size(); row = candidates.next(row + 1)) {
      if (ledger.holds(candidates.xid(row), candidates.id(row))) {
        candidates.strike(row);
      }
    }
  }

  private void strikeForgotten() throws InterruptedException {
    List<Stretch> stretches =
        ledger.forgotten().stream()
            .filter(one -> candidates.anyWithin(one.lowestXid(), one.highestXid()))
            .toList();
    if (stretches.isEmpty()) {
      return;
    }
    long startedNanos = System.nanoTime();
    int sought = candidates.left();
    long read = tail.strike(stretches, candidates);
    LOG.info(
        "The audit has read {} records of Kafka back for {} events in {} s; {} are not there",
        read,
        sought,
        Duration.ofNanos(System.nanoTime() - startedNanos).toSeconds(),
        candidates.left());
  }

  private void repair(Map<UUID, Long> missing) throws SQLException, InterruptedException {
    List<Departure> late = new ArrayList<>(missing.size());
    for (OutboxRow row : OutboxRows.find(connection, missing.keySet())) {
      late.add(new Departure(row, missing.getOrDefault(row.id(), 0L)));
    }
    for (Acknowledged sent : dispatcher.dispatch(late, true).acknowledged()) {
      ledger.repaired(sent.partition(), sent.offset());
    }
    filled += late.size();
  }
}
