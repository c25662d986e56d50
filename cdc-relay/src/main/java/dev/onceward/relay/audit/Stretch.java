package dev.onceward.relay.audit;

import dev.onceward.db.relay.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Where in Kafka delivered events are that nobody remembers one by one. Immutable.
 *
 * @param lowestXid they are of transactions from this one
 * @param highestXid to this one
 * @param horizon sees these transactions
 * @param unseen but for these
 * @param starts partition → the first offset that one of them can have
 * @param ends partition → the offset behind the last one
 */
record Stretch(
    long lowestXid,
    long highestXid,
    Snapshot horizon,
    List<Long> unseen,
    Map<TopicPartition, Long> starts,
    Map<TopicPartition, Long> ends) {
  Stretch {
    unseen = List.copyOf(unseen);
    starts = Map.copyOf(starts);
    ends = Map.copyOf(ends);
  }

  /** Events of whatever transactions. */
  static Stretch ofAny(Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends) {
    return new Stretch(Long.MIN_VALUE, Long.MAX_VALUE, Snapshot.NOTHING, List.of(), starts, ends);
  }

  /** This one and a later one, and what lies between them. */
  Stretch with(Stretch later) {
    List<Long> bothUnseen = new ArrayList<>(unseen);
    bothUnseen.addAll(later.unseen);
    Map<TopicPartition, Long> bothStarts = new HashMap<>(starts);
    later.starts.forEach((partition, start) -> bothStarts.merge(partition, start, Math::min));
    Map<TopicPartition, Long> bothEnds = new HashMap<>(ends);
    later.ends.forEach((partition, end) -> bothEnds.merge(partition, end, Math::max));
    return new Stretch(
        Math.min(lowestXid, later.lowestXid),
        Math.max(highestXid, later.highestXid),
        later.horizon,
        bothUnseen,
        bothStarts,
        bothEnds);
  }

  /** Whether an audit up to there has compared all of them with their rows. */
  boolean isSeenBy(Snapshot audited) {
    return seesAllOf(audited, horizon) && unseen.stream().allMatch(audited::sees);
  }

  /** Whether whatever the older snapshot sees, the newer one does. */
  private static boolean seesAllOf(Snapshot newer, Snapshot older) {
    if (newer.xmax() < older.xmax()) {
      return false;
    }
    for (long xid : newer.running()) {
      if (older.sees(xid)) {
        return false;
      }
    }
    return true;
  }
}
