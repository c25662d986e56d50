package dev.onceward.local.torture;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The writers' own books: every event and what became of it. Thread-safe. */
public final class WriteLedger {

  private final Map<UUID, LedgerEntry> entries = new HashMap<>();
  private long transactions;

  /** Books the events of one transaction, or those of it that shared a fate. */
  public synchronized void book(Collection<WrittenEvent> events, Fate fate) {
    for (WrittenEvent event : events) {
      entries.put(event.id(), new LedgerEntry(event.aggregate(), event.sequence(), fate));
    }
  }

  /** Counts a transaction that has ended, however it did. */
  synchronized void transactionEnded() {
    transactions++;
  }

  synchronized long transactions() {
    return transactions;
  }

  /** Those whose commit nobody has confirmed. */
  public synchronized List<UUID> unknown() {
    List<UUID> unknown = new ArrayList<>();
    entries.forEach(
        (id, entry) -> {
          if (entry.fate() == Fate.UNKNOWN) {
            unknown.add(id);
          }
        });
    return unknown;
  }

  /**
   * Settles the unknown ones.
   *
   * @param inOutbox those of them whose rows are there
   */
  public synchronized void settle(Set<UUID> inOutbox) {
    for (UUID id : unknown()) {
      entries.computeIfPresent(
          id,
          (same, entry) ->
              new LedgerEntry(
                  entry.aggregate(),
                  entry.sequence(),
                  inOutbox.contains(id) ? Fate.COMMITTED : Fate.ROLLED_BACK));
    }
  }

  /** How many events had each fate. */
  synchronized Map<Fate, Long> counts() {
    Map<Fate, Long> counts = new EnumMap<>(Fate.class);
    for (Fate fate : Fate.values()) {
      counts.put(fate, 0L);
    }
    entries.values().forEach(entry -> counts.merge(entry.fate(), 1L, Long::sum));
    return counts;
  }

  /** The books. To be asked for when nobody writes any more: they are not copied. */
  public synchronized Map<UUID, LedgerEntry> entries() {
    return entries;
  }
}
