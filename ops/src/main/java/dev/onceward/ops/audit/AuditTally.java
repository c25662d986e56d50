package dev.onceward.ops.audit;

import dev.onceward.ops.audit.Finding.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts while an audit runs. Confined to one thread. */
final class AuditTally {
  long rows;
  long inKafka;
  long parked;
  long deadLetters;
  long discarded;
  long pending;
  long originals;
  long repairs;
  long replays;
  long unreadable;
  long orderUnknown;

  private final int listed;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<Kind, List<Finding>> findings = new EnumMap<>(Kind.class);

  /**
   * Counts from zero.
   *
   * @param listed how many findings of each kind are kept
   */
  AuditTally(int listed) {
    this.listed = listed;
    for (Kind kind : Kind.values()) {
      counts.put(kind, 0L);
      findings.put(kind, new ArrayList<>());
    }
  }

  void add(Finding finding) {
    counts.merge(finding.kind(), 1L, Long::sum);
    List<Finding> kept = findings.getOrDefault(finding.kind(), List.of());
    if (kept.size() < listed) {
      kept.add(finding);
    }
  }

  long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** Those that are named, by kind. */
  List<Finding> findings() {
    return findings.values().stream().flatMap(List::stream).toList();
  }
}
