package dev.onceward.ops.audit;

import dev.onceward.db.relay.RelayProgress;
import dev.onceward.ops.audit.Finding.Kind;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an audit has to say. Immutable.
 *
 * @param verdict in one word
 * @param from the first time of the range
 * @param to the first time behind it
 * @param workspaceId of this workspace only; null for all
 * @param relay the relay whose watermark counts
 * @param auditedTo up to when everything is proven by the relay; null if nothing is
 * @param outbox the rows of the range
 * @param kafka the records of these rows
 * @param operations how many are in each state
 * @param counts findings by kind, all kinds
 * @param unproven why not all could be proven; empty if it could
 * @param findings the first of each kind
 */
record AuditReport(
    Verdict verdict,
    Instant from,
    Instant to,
    @Nullable UUID workspaceId,
    String relay,
    @Nullable Instant auditedTo,
    Outbox outbox,
    Records kafka,
    Map<String, Long> operations,
    Map<String, Long> counts,
    List<String> unproven,
    List<Finding> findings) {

  AuditReport {
    operations = Map.copyOf(operations);
    counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    unproven = List.copyOf(unproven);
    findings = List.copyOf(findings);
  }

  /** The answer. */
  enum Verdict {
    /** Everything is as promised. */
    PROVEN(0),
    /** Something contradicts it. */
    FOUND(1),
    /** Nothing contradicts it, but not everything could be seen. */
    NOT_PROVEN(5);

    private final int exitCode;

    Verdict(int exitCode) {
      this.exitCode = exitCode;
    }

    int exitCode() {
      return exitCode;
    }
  }

  /**
   * Rows by what was found of them.
   *
   * @param events all
   * @param inKafka with a record
   * @param parked without one, waiting in parked_events
   * @param deadLetters without one, set aside there
   * @param discarded without one, given up by an operator
   * @param pending without one, and not audited yet
   */
  record Outbox(
      long events, long inKafka, long parked, long deadLetters, long discarded, long pending) {}

  /**
   * Records of these rows.
   *
   * @param originals as the stream sent them
   * @param repairs sent late by the relay's audit
   * @param replays sent again by an operator
   * @param unreadable in the time of the range, and no events
   */
  record Records(long originals, long repairs, long replays, long unreadable) {}

  static AuditReport of(
      AuditScope asked,
      RelayProgress relay,
      AuditTally tally,
      Map<String, Long> operations,
      List<String> unproven) {
    Map<String, Long> counts = new LinkedHashMap<>();
    boolean found = false;
    for (Kind kind : Kind.values()) {
      counts.put(kind.key(), tally.count(kind));
      found |= kind != Kind.EXPIRED && tally.count(kind) > 0;
    }
    return new AuditReport(
        found ? Verdict.FOUND : unproven.isEmpty() ? Verdict.PROVEN : Verdict.NOT_PROVEN,
        asked.from(),
        asked.to(),
        asked.workspaceId(),
        relay.relay(),
        relay.deliveredAt(),
        new Outbox(
            tally.rows,
            tally.inKafka,
            tally.parked,
            tally.deadLetters,
            tally.discarded,
            tally.pending),
        new Records(tally.originals, tally.repairs, tally.replays, tally.unreadable),
        operations,
        counts,
        unproven,
        tally.findings());
  }
}
