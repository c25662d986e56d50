package dev.onceward.ops.replay;

import java.util.List;
import java.util.UUID;

/**
 * What a selection comes to. Immutable.
 *
 * @param snapshot the transactions that were proven to be in Kafka at that moment
 * @param kinds the kinds of events, chosen or not
 * @param firstEventId the lowest id of those chosen; anything if none is
 * @param lastEventId the highest
 * @param pendingCount wanted, but not proven to be in Kafka yet: the relay's own business
 * @param parkedCount wanted, but parked, dead or discarded
 */
public record Census(
    String snapshot,
    List<Kind> kinds,
    UUID firstEventId,
    UUID lastEventId,
    long pendingCount,
    long parkedCount) {

  /**
   * Events that go to one topic.
   *
   * @param eventType their type
   * @param aggregateType their aggregates' type
   * @param chosenCount how many are chosen
   */
  public record Kind(String eventType, String aggregateType, long chosenCount) {}

  public Census {
    kinds = List.copyOf(kinds);
  }

  /** How many events are chosen. */
  long chosenCount() {
    return kinds.stream().mapToLong(Kind::chosenCount).sum();
  }
}
