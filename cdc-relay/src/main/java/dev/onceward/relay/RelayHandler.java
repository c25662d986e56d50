package dev.onceward.relay;

import dev.onceward.db.relay.Snapshot;
import dev.onceward.relay.audit.AuditMetrics;
import dev.onceward.relay.audit.Auditor;
import dev.onceward.relay.audit.DeliveryLedger;
import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.capture.ChangeBatch;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.lead.Leadership;
import dev.onceward.relay.park.Departure;
import dev.onceward.relay.park.Dispatched;
import dev.onceward.relay.park.EventDispatcher;
import dev.onceward.relay.publish.Acknowledged;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.watermark.Watermark;
import dev.onceward.relay.watermark.Watermarks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Row to record to Kafka, for one term. Returns from a batch only when all of it is acknowledged or
 * parked, and only then believes the watermarks in it. Confined to the stream's thread.
 */
final class RelayHandler implements ChangeHandler {
  private final Leadership leadership;
  private final EventDispatcher dispatcher;
  private final Watermarks watermarks;
  private final DeliveryLedger ledger;
  private final Auditor auditor;
  private final RelayStatus status;
  private final PublishStatus publishing;
  private final RelayMetrics metrics;
  private final AuditMetrics auditMetrics;

  RelayHandler(
      Leadership leadership,
      EventDispatcher dispatcher,
      Watermarks watermarks,
      DeliveryLedger ledger,
      Auditor auditor,
      RelayStatus status,
      PublishStatus publishing,
      RelayMetrics metrics,
      AuditMetrics auditMetrics) {
    this.leadership = leadership;
    this.dispatcher = dispatcher;
    this.watermarks = watermarks;
    this.ledger = ledger;
    this.auditor = auditor;
    this.status = status;
    this.publishing = publishing;
    this.metrics = metrics;
    this.auditMetrics = auditMetrics;
  }

  @Override
  public void handle(ChangeBatch batch) throws InterruptedException {
    leadership.require();
    Map<UUID, CapturedEvent> fresh = fresh(batch.events());
    if (!fresh.isEmpty()) {
      publish(fresh);
    }
    status.progressed();
    watermarks.returned(batch.messages()).ifPresent(this::delivered);
    ledger.keepWithinLimit(auditor.delivered(), watermarks.coming());
    auditMetrics.remembered(ledger.remembered());
  }

  private void delivered(Watermark watermark) {
    status.watermarkReturned(watermark.takenAt());
    auditor.delivered(watermark);
  }

  /** What is not known to be in Kafka, in order. */
  private Map<UUID, CapturedEvent> fresh(List<CapturedEvent> events) {
    Snapshot delivered = auditor.delivered();
    Map<UUID, CapturedEvent> fresh = new LinkedHashMap<>(2 * events.size());
    for (CapturedEvent event : events) {
      UUID id = event.row().id();
      long xid = xid(event);
      if (!delivered.sees(xid) && !ledger.holds(xid, id)) {
        fresh.put(id, event);
      }
    }
    if (fresh.size() < events.size()) {
      auditMetrics.suppressed(events.size() - fresh.size());
    }
    return fresh;
  }

  private long xid(CapturedEvent event) {
    return watermarks.newest().widen(event.xid());
  }

  private void publish(Map<UUID, CapturedEvent> fresh) throws InterruptedException {
    publishing.begin(fresh.size());
    status.batchInHand(fresh.values().iterator().next().committedAt());
    try {
      List<Departure> departures = new ArrayList<>(fresh.size());
      fresh.values().forEach(event -> departures.add(new Departure(event.row(), xid(event))));
      Dispatched dispatched = dispatcher.dispatch(departures, false);
      for (Acknowledged sent : dispatched.acknowledged()) {
        CapturedEvent event = fresh.get(sent.eventId());
        if (event != null) {
          ledger.acknowledged(xid(event), sent.eventId(), sent.partition(), sent.offset());
          metrics.delivered(event, sent);
        }
      }
      for (UUID id : dispatched.parked()) {
        CapturedEvent event = fresh.get(id);
        if (event != null) {
          ledger.parked(xid(event), id);
        }
      }
      metrics.acknowledged(dispatched.acknowledged());
    } finally {
      status.nothingInHand();
      publishing.end();
    }
  }
}
