package dev.onceward.relay.audit;

import dev.onceward.db.relay.Snapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * What did not fit into the ledger, as stretches of Kafka in the order of delivery: so a part of
 * the rows is looked for in a part of Kafka. Not thread-safe: guarded by its ledger.
 */
final class Spill {
  private static final int MOST_STRETCHES = 128;

  private List<Stretch> stretches = new ArrayList<>();

  boolean isEmpty() {
    return stretches.isEmpty();
  }

  void add(Stretch stretch) {
    stretches.add(stretch);
    if (stretches.size() > MOST_STRETCHES) {
      joinNeighbours();
    }
  }

  private void joinNeighbours() {
    List<Stretch> joined = new ArrayList<>();
    for (int i = 0; i < stretches.size(); i += 2) {
      Stretch one = stretches.get(i);
      joined.add(i + 1 < stretches.size() ? one.with(stretches.get(i + 1)) : one);
    }
    stretches = joined;
  }

  /** An audit has come that far: what it has seen needs no second look. */
  void audited(Snapshot snapshot) {
    stretches.removeIf(stretch -> stretch.isSeenBy(snapshot));
  }

  void lowerTo(KafkaPositions positions) {
    stretches.forEach(stretch -> stretch.starts().forEach(positions::lower));
  }

  List<Stretch> stretches() {
    return List.copyOf(stretches);
  }
}
