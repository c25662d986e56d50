package dev.onceward.relay.model;

import dev.onceward.db.test.model.Model.Steps;
import dev.onceward.relay.model.RelayWorld.Audit;
import dev.onceward.relay.model.RelayWorld.Ledger;
import dev.onceward.relay.model.RelayWorld.Mark;
import dev.onceward.relay.model.RelayWorld.Phase;
import dev.onceward.relay.model.RelayWorld.Stored;
import dev.onceward.relay.model.RelayWorld.Term;
import dev.onceward.relay.model.RelayWorld.Wrong;

/** The audit and the loop over parked events, threads of the leading relay. */
final class AuditSteps {
  private final RelayMistake mistake;
  private final TermSteps terms;

  AuditSteps(RelayMistake mistake, TermSteps terms) {
    this.mistake = mistake;
    this.terms = terms;
  }

  void steps(RelayWorld w, Steps<RelayWorld> steps) {
    Phase phase = w.term().phase();
    if (phase == Phase.FILLING || phase == Phase.STREAMING) {
      audit(w, steps);
    }
    if (phase.compareTo(Phase.FILLING) >= 0) {
      parked(w, steps);
    }
  }

  private void audit(RelayWorld w, Steps<RelayWorld> steps) {
    Term term = w.term();
    Audit audit = term.audit();
    if (!audit.target().is()) {
      if (audit.next().is()) {
        String missing = mistake == RelayMistake.AUDIT_BELIEVES ? "" : missing(w, audit.next());
        steps.to(
            "the audit compares" + (missing.isEmpty() ? "" : " and misses " + missing),
            w.with(term.with(new Audit(audit.delivered(), Mark.NONE, audit.next(), missing))));
      }
    } else if (!audit.repairs().isEmpty()) {
      repair(w, steps);
    } else {
      steps.to("RelayStateStore.advance", advanced(w));
    }
  }

  /** {@code Comparison}: rows that the new snapshot sees and the stored one does not. */
  private static String missing(RelayWorld w, Mark to) {
    int rows = to.seen() & w.writers().visible() & ~w.stored().audited();
    StringBuilder missing = new StringBuilder();
    for (int event = 0; event < w.writers().begun(); event++) {
      boolean delivered =
          w.term().ledger().holds(event) || (RelayWorld.bits(w.parked()) & (1 << event)) != 0;
      if ((rows & (1 << event)) != 0 && !delivered) {
        missing.append((char) ('a' + event));
      }
    }
    return missing.toString();
  }

  private void repair(RelayWorld w, Steps<RelayWorld> steps) {
    Term term = w.term();
    Audit audit = term.audit();
    int handled = terms.handledAtOnce(w, audit.repairs());
    String some = audit.repairs().substring(0, handled);
    Audit next =
        new Audit(
            audit.delivered(), audit.next(), audit.target(), audit.repairs().substring(handled));
    RelayWorld sent = terms.sent(w, some);
    boolean inKafka = sent.kafka().length() > w.kafka().length();
    Ledger ledger = inKafka ? term.ledger().repaired(w.kafka().length()) : term.ledger();
    steps.to(
        inKafka ? "Kafka acknowledges the repair " + some : "the repair " + some + " is parked",
        sent.with(term.with(next).with(ledger)));
  }

  /** {@code DeliveryLedger.forget}, {@code positions}, and what is stored. */
  private RelayWorld advanced(RelayWorld w) {
    Term term = w.term();
    Audit audit = term.audit();
    Mark to = audit.target();
    Ledger was = term.ledger();
    int horizon = was.horizon() < 0 ? to.running() : was.horizon();
    boolean needed =
        was.needed()
            && (horizon & ~to.seen()) != 0
            && mistake != RelayMistake.TAIL_FORGOTTEN_AT_ONCE;
    Ledger now =
        new Ledger(
            was.held() & ~to.seen(),
            was.acknowledged() & ~to.seen(),
            needed ? was.known() : 0,
            needed ? was.knownFrom() : 0,
            needed,
            needed ? horizon : 0,
            was.end());
    Stored stored = new Stored(to.seen(), to.at(), positions(w, now), w.stored().gap());
    boolean back = (w.stored().audited() & ~to.seen()) != 0;
    Term next =
        term.with(now)
            .with(new Audit(audit.delivered(), audit.next(), Mark.NONE, ""))
            .with(term.phase() == Phase.FILLING ? Phase.FILLED : term.phase());
    RelayWorld after = w.with(stored).with(next);
    return back ? after.with(Wrong.AUDITED_WENT_BACK) : after;
  }

  private int positions(RelayWorld w, Ledger ledger) {
    int lowest = ledger.end();
    if (mistake == RelayMistake.POSITIONS_AT_THE_END) {
      return lowest;
    }
    for (int event = 0; event < w.writers().begun(); event++) {
      if ((ledger.acknowledged() & (1 << event)) != 0) {
        int offset =
            Math.max(
                w.kafka().lastIndexOf((char) ('0' + event)),
                w.kafka().lastIndexOf((char) ('A' + event)));
        lowest = Math.min(lowest, offset);
      }
    }
    return ledger.needed() ? Math.min(lowest, ledger.knownFrom()) : lowest;
  }

  /** {@code ParkedEventRetrier}: in the order of parking. */
  private static void parked(RelayWorld w, Steps<RelayWorld> steps) {
    Term term = w.term();
    if (term.sent() >= 0) {
      char event = (char) ('0' + term.sent());
      int place = w.parked().indexOf(event);
      String rest =
          place < 0 ? w.parked() : w.parked().substring(0, place) + w.parked().substring(place + 1);
      steps.to(
          "ParkedEventStore.delivered deletes the row of " + event,
          w.withParked(rest).with(term.withParked(-1, term.already())));
    } else if (!w.parked().isEmpty()) {
      int event = RelayWorld.eventOf(w.parked().charAt(0));
      if ((term.already() & (1 << event)) != 0) {
        steps.to(
            "parked " + event + " is in Kafka already",
            w.with(term.withParked(event, term.already() & ~(1 << event))));
      } else if (!w.refused()) {
        int offset = w.kafka().length();
        steps.to(
            "Kafka acknowledges the parked " + event,
            w.withKafka(w.kafka() + (char) ('A' + event))
                .with(
                    term.with(term.ledger().sent(event, offset))
                        .withParked(event, term.already())));
      }
    }
  }
}
