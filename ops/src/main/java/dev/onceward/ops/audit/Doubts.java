package dev.onceward.ops.audit;

import dev.onceward.db.relay.RelayProgress;
import dev.onceward.ops.audit.Finding.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Why an audit that found nothing wrong may still have proven too little. Stateless. */
final class Doubts {
  private Doubts() {}

  /**
   * Names what could not be seen, each with what helps.
   *
   * @param newest whether the operator asked for the newest events, so that the relay should be
   *     near
   * @param after how the relay stood when the comparison was over
   */
  static List<String> about(
      AuditScope asked,
      boolean newest,
      RelayProgress before,
      RelayProgress after,
      AuditTally tally) {
    List<String> doubts = new ArrayList<>();
    Instant deliveredAt = before.deliveredAt();
    if (before.audited() == null || deliveredAt == null) {
      doubts.add(
          "relay \""
              + before.relay()
              + "\" has audited nothing yet; start it, or name another as"
              + " onceward.relay.slot-name");
    } else if (asked.to().isAfter(deliveredAt)) {
      doubts.add("audited only up to " + deliveredAt + "; ask again when that has passed --to");
    } else if (newest && deliveredAt.isBefore(before.now().minus(asked.stuckAfter()))) {
      doubts.add(
          "nothing was audited for "
              + Duration.between(deliveredAt, before.now()).toSeconds()
              + " s; see why by: onceward status");
    }
    Instant since = after.outboxSince();
    if (since != null && asked.from().isBefore(since)) {
      doubts.add("the outbox keeps no events from before " + since + "; begin there");
    }
    if (tally.pending > 0) {
      doubts.add(
          tally.pending
              + " events are neither audited nor in Kafka yet; ask again, or see why by: onceward"
              + " events list --status pending");
    }
    if (tally.count(Kind.EXPIRED) > 0) {
      doubts.add(
          tally.count(Kind.EXPIRED)
              + " records may have been there: Kafka has removed what is that old; let topics keep"
              + " records for longer");
    }
    if (tally.orderUnknown > 0) {
      doubts.add(
          tally.orderUnknown
              + " records came in another order than their transactions began, and nothing tells"
              + " which was committed first; set track_commit_timestamp = on");
    }
    return doubts;
  }
}
