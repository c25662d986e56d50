package dev.onceward.relay;

import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.db.relay.Snapshot;
import dev.onceward.relay.audit.StoredAudit;
import dev.onceward.relay.slot.NotPreparedException;
import dev.onceward.relay.slot.RelaySession;
import dev.onceward.relay.slot.ReplicationSlot;
import dev.onceward.relay.slot.SlotStatus;
import dev.onceward.relay.watermark.Watermark;
import dev.onceward.relay.watermark.Watermarks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sees to a term's slot before it streams. Confined to the supervisor's thread. */
final class SlotPreparation {
  private final RelayConfig config;
  private final RelaySession session;
  private final ReplicationSlot slot;
  private final RelayStateStore stateStore;
  private final RelayStatus status;
  private final RelayMetrics metrics;

  /**
   * What the stream may lack.
   *
   * @param cause what is known about why
   * @param before what a new slot does not bring has committed before this; null for an old slot
   */
  record Gap(String cause, @Nullable Watermark before) {}

  SlotPreparation(
      RelayConfig config,
      RelaySession session,
      ReplicationSlot slot,
      RelayStateStore stateStore,
      RelayStatus status,
      RelayMetrics metrics) {
    this.config = config;
    this.session = session;
    this.slot = slot;
    this.stateStore = stateStore;
    this.status = status;
    this.metrics = metrics;
  }

  /**
   * The slot is there, is ours, and nobody streams from it.
   *
   * @return what is known about why events could be missing from the stream
   */
  Gap prepare(StoredAudit stored) throws SQLException, NotPreparedException, SlotBusyException {
    ReplicationSlot.Readiness readiness =
        slot.ensure(session, this::slotIsMade, config.care().slotLoss());
    Optional<SlotStatus> seen = slot.status(session);
    seen.ifPresent(status::slotSeen);
    int holder = seen.map(SlotStatus::activePid).orElse(0);
    // We lead, so it is what our predecessor has left behind.
    if (holder != 0 && !slot.terminateHolder(session, holder)) {
      throw new SlotBusyException(config.slotName(), holder);
    }
    String delivered = stored.deliveredLsn();
    if (delivered != null) {
      // After a crash of the server it can lie far behind what was confirmed.
      slot.advanceTo(session, delivered, status::databaseMayBeSilentFor);
    }
    return switch (readiness) {
      case PRESENT ->
          stored.slotGap()
              ? newSlot("an earlier term made the slot and ended before it had filled the gap")
              : new Gap("unknown; they did not come through the replication stream", null);
      case MADE -> newSlot("the slot was missing and has been made anew");
      case REMADE -> {
        metrics.slotRemade();
        yield newSlot("the slot was lost and has been made anew");
      }
    };
  }

  /** What it does not bring, a snapshot taken now sees. */
  private Gap newSlot(String cause) throws SQLException, NotPreparedException {
    Snapshot now = session.ask(Watermarks::snapshot);
    long confirmed = slot.status(session).map(SlotStatus::confirmedLsn).orElse(0L);
    return new Gap(cause, new Watermark(now, confirmed, Instant.now()));
  }

  /** Makes a slot anew from which nothing can be streamed. */
  void remake() throws SQLException, NotPreparedException {
    slot.remake(session, this::slotIsMade);
    metrics.slotRemade();
  }

  private void slotIsMade(Duration mayTake) {
    session.callUnchecked(
        connection -> {
          stateStore.openGap(connection);
          return true;
        });
    status.streamDown("the slot is being made, which waits for every open transaction");
    status.databaseMayBeSilentFor(mayTake);
  }
}
