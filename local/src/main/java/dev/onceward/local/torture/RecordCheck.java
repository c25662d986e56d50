package dev.onceward.local.torture;

import dev.onceward.event.EventHeaders;
import dev.onceward.local.topic.SeenRecord;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Compares Kafka with the ledger: first every record, each partition in its order, then {@link
 * #finish}. Confined to one thread.
 */
public final class RecordCheck {

  private final Map<UUID, LedgerEntry> ledger;
  private final Map<UUID, Seen> seen = new HashMap<>();
  private final Map<String, Long> newest = new HashMap<>();
  private final Map<String, String> places = new HashMap<>();
  private final Set<UUID> strangers = new HashSet<>();
  private final FindingList rolledBack = new FindingList();
  private final FindingList overtaken = new FindingList();
  private final FindingList changed = new FindingList();
  private final FindingList duplicates = new FindingList();
  private long records;
  private long repairs;

  /**
   * A check against these books.
   *
   * @param ledger with no unknown fate
   */
  public RecordCheck(Map<UUID, LedgerEntry> ledger) {
    this.ledger = ledger;
  }

  /** Takes the next record of its partition. */
  public void record(SeenRecord record) {
    records++;
    UUID id = UUID.fromString(record.key());
    boolean repair = record.headers().containsKey(EventHeaders.AUDIT_REPAIR);
    repairs += repair ? 1 : 0;
    String place = record.topic() + "-" + record.partition();
    int content = Objects.hash(place, Arrays.hashCode(record.value().toCharArray()));
    Seen before = seen.putIfAbsent(id, new Seen(content));
    if (before != null) {
      repeated(record, before, content, repair);
      return;
    }
    if (!record.value().contains(record.key())) {
      changed.add(at(record) + " does not hold its own id");
    }
    LedgerEntry entry = ledger.get(id);
    if (entry == null) {
      strangers.add(id);
    } else if (entry.fate() == Fate.COMMITTED) {
      first(record, entry, place, repair);
    } else {
      rolledBack.add(at(record) + " was rolled back");
    }
  }

  private void repeated(SeenRecord record, Seen before, int content, boolean repair) {
    if (before.content != content) {
      changed.add(at(record) + " differs from the first record of this event");
    }
    if (!repair && !record.headers().containsKey(EventHeaders.REPLAY_ID)) {
      duplicates.add(at(record));
    }
  }

  private void first(SeenRecord record, LedgerEntry entry, String place, boolean repair) {
    String usual = places.putIfAbsent(entry.aggregate(), place);
    if (usual != null && !usual.equals(place)) {
      overtaken.add(at(record) + " of " + entry.aggregate() + " is not in " + usual);
    }
    if (repair) {
      return; // comes late by its nature, and says so
    }
    Long last = newest.get(entry.aggregate());
    if (last != null && last > entry.sequence()) {
      overtaken.add(
          at(record)
              + ": number "
              + entry.sequence()
              + " of "
              + entry.aggregate()
              + " behind number "
              + last);
    } else {
      newest.put(entry.aggregate(), entry.sequence());
    }
  }

  /** Events that Kafka holds and the ledger does not: written by others, or phantoms. */
  public Set<UUID> strangers() {
    return Set.copyOf(strangers);
  }

  /**
   * The result.
   *
   * @param setAside events that stand visibly in {@code parked_events}
   * @param strangersInOutbox those of {@link #strangers} whose rows are there
   */
  public RecordResult finish(Set<UUID> setAside, Set<UUID> strangersInOutbox) {
    FindingList lost = new FindingList();
    long inSight = 0;
    for (Map.Entry<UUID, LedgerEntry> each : ledger.entrySet()) {
      if (each.getValue().fate() == Fate.COMMITTED && !seen.containsKey(each.getKey())) {
        if (setAside.contains(each.getKey())) {
          inSight++;
        } else {
          lost.add(each.getKey() + " of " + each.getValue().aggregate());
        }
      }
    }
    for (UUID stranger : strangers) {
      if (!strangersInOutbox.contains(stranger)) {
        rolledBack.add(stranger + " was never in the outbox");
      }
    }
    return new RecordResult(
        records,
        repairs,
        inSight,
        lost.finding(),
        rolledBack.finding(),
        overtaken.finding(),
        changed.finding(),
        duplicates.finding());
  }

  private static String at(SeenRecord record) {
    return record.key()
        + " ("
        + record.topic()
        + "-"
        + record.partition()
        + ", topic offset "
        + record.topicOffset()
        + ")";
  }

  private record Seen(int content) {}
}
