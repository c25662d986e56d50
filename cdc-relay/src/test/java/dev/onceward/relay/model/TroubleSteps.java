package dev.onceward.relay.model;

import dev.onceward.db.test.model.Model.Steps;
import dev.onceward.relay.model.RelayWorld.Left;
import dev.onceward.relay.model.RelayWorld.Mark;
import dev.onceward.relay.model.RelayWorld.Phase;
import dev.onceward.relay.model.RelayWorld.Slot;
import dev.onceward.relay.model.RelayWorld.Stale;
import dev.onceward.relay.model.RelayWorld.Stored;
import dev.onceward.relay.model.RelayWorld.Stream;
import dev.onceward.relay.model.RelayWorld.Term;
import dev.onceward.relay.model.RelayWorld.Writers;
import dev.onceward.relay.model.RelayWorld.Wrong;

/** What the world does to the relay: writers, deaths, stalls, and a relay that led before. */
final class TroubleSteps {
  private final int transactions;
  private final RelayMistake mistake;

  TroubleSteps(int transactions, RelayMistake mistake) {
    this.transactions = transactions;
    this.mistake = mistake;
  }

  void steps(RelayWorld w, Steps<RelayWorld> steps) {
    writers(w, steps);
    kafka(w, steps);
    server(w, steps);
    relays(w, steps);
    stale(w, steps);
  }

  private void writers(RelayWorld w, Steps<RelayWorld> steps) {
    Writers now = w.writers();
    if (now.begun() < transactions) {
      Writers next = new Writers(now.begun() + 1, now.log(), now.visible(), now.aborted());
      steps.to("transaction " + now.begun() + " begins", w.with(next));
    }
    for (int one = 0; one < now.begun(); one++) {
      int bit = 1 << one;
      if (((now.logged() | now.aborted()) & bit) == 0) {
        Writers committed = new Writers(now.begun(), now.log() + one, now.visible(), now.aborted());
        steps.to("the commit of transaction " + one + " is in the log", w.with(committed));
        if (w.left().aborts() > 0) {
          Writers aborted = new Writers(now.begun(), now.log(), now.visible(), now.aborted() | bit);
          Left l = w.left();
          Left less =
              new Left(
                  l.crashes(),
                  l.stalls(),
                  l.serverCrashes(),
                  l.slotLosses(),
                  l.refusals(),
                  l.aborts() - 1);
          steps.to("transaction " + one + " rolls back", w.with(aborted).with(less));
        }
      } else if ((now.logged() & ~now.visible() & bit) != 0) {
        Writers seen = new Writers(now.begun(), now.log(), now.visible() | bit, now.aborted());
        steps.to("transaction " + one + " comes into sight", w.with(seen));
      }
    }
  }

  private static void kafka(RelayWorld w, Steps<RelayWorld> steps) {
    Left l = w.left();
    if (w.refused()) {
      steps.to("Kafka takes the topic's events again", w.withRefused(false));
    } else if (l.refusals() > 0) {
      Left less =
          new Left(
              l.crashes(),
              l.stalls(),
              l.serverCrashes(),
              l.slotLosses(),
              l.refusals() - 1,
              l.aborts());
      steps.to("Kafka refuses the topic", w.withRefused(true).with(less));
    }
  }

  private void server(RelayWorld w, Steps<RelayWorld> steps) {
    Left l = w.left();
    Slot slot = w.slot();
    if (l.slotLosses() > 0 && slot.there()) {
      Left less =
          new Left(
              l.crashes(),
              l.stalls(),
              l.serverCrashes(),
              l.slotLosses() - 1,
              l.refusals(),
              l.aborts());
      Stale stale = w.stale();
      steps.to(
          "the slot is lost",
          w.with(new Slot(false, 0, 0))
              .with(new Stale(stale.toSend(), stale.confirmTo(), false, stale.audit()))
              .with(less));
    }
    if (l.serverCrashes() > 0) {
      Left less =
          new Left(
              l.crashes(),
              l.stalls(),
              l.serverCrashes() - 1,
              l.slotLosses(),
              l.refusals(),
              l.aborts());
      Writers now = w.writers();
      int started = (1 << now.begun()) - 1;
      Writers after = new Writers(now.begun(), now.log(), now.logged(), started & ~now.logged());
      RelayWorld next = lockLost(w, false).with(after).with(less);
      if (!slot.there()) {
        steps.to("PostgreSQL is killed and recovers", next);
      } else {
        for (int back = slot.made(); back <= slot.confirmed(); back++) {
          steps.to(
              "PostgreSQL is killed and recovers with the slot at " + back,
              next.with(new Slot(true, slot.made(), back)));
        }
      }
    }
  }

  private void relays(RelayWorld w, Steps<RelayWorld> steps) {
    Left l = w.left();
    Term term = w.term();
    if (term.phase() == Phase.NONE) {
      return;
    }
    if (l.crashes() > 0) {
      Left less =
          new Left(
              l.crashes() - 1,
              l.stalls(),
              l.serverCrashes(),
              l.slotLosses(),
              l.refusals(),
              l.aborts());
      steps.to("the leading relay is killed", cutOff(w).with(Term.NONE).with(less));
    }
    if (l.stalls() > 0 && w.stale().equals(Stale.NONE)) {
      Left less =
          new Left(
              l.crashes(),
              l.stalls() - 1,
              l.serverCrashes(),
              l.slotLosses(),
              l.refusals(),
              l.aborts());
      steps.to(
          "the leading relay stands still and its session is ended", lockLost(w, true).with(less));
    }
    if (!w.slot().there() && term.phase().compareTo(Phase.GAP_NOTED) > 0) {
      steps.to("the stream ends, and with it the term", cutOff(w).with(Term.NONE));
    }
  }

  /** A parked event that was sent, and whose row is audited and not deleted yet, may come twice. */
  private RelayWorld cutOff(RelayWorld w) {
    int sent = w.term().sent();
    boolean excused = mistake != RelayMistake.PARKED_DUPLICATE_NOT_EXCUSED;
    return sent >= 0 && excused
        ? w.withExcused(w.excused() | ((1 << sent) & w.stored().audited()))
        : w;
  }

  /** What a relay goes on with until it finds out. */
  private RelayWorld lockLost(RelayWorld w, boolean onSlot) {
    Term term = w.term();
    if (term.phase() == Phase.NONE) {
      return w;
    }
    Stream stream = term.stream();
    Stale stale =
        new Stale(
            // Behind a parked event it would have parked, which is fenced.
            w.parked().isEmpty() ? stream.unsent() + term.audit().repairs() : "",
            stream.to(),
            onSlot && w.slot().there() && term.phase() == Phase.STREAMING,
            mistake == RelayMistake.STATE_NOT_FENCED ? term.audit().target() : Mark.NONE);
    return cutOff(w).with(Term.NONE).with(stale);
  }

  private void stale(RelayWorld w, Steps<RelayWorld> steps) {
    Stale stale = w.stale();
    if (stale.equals(Stale.NONE)) {
      return;
    }
    steps.to("the relay that led finds out that it does not", w.with(Stale.NONE));
    if (!stale.toSend().isEmpty()) {
      String rest = stale.toSend().substring(1);
      char record = stale.toSend().charAt(0);
      Stale next = new Stale(rest, stale.confirmTo(), stale.onSlot(), stale.audit());
      if (!w.refused()) {
        steps.to(
            "a record of the relay that led arrives: " + record,
            w.withKafka(w.kafka() + record)
                .withExcused(w.excused() | (1 << RelayWorld.eventOf(record)))
                .with(next));
      } else if (mistake == RelayMistake.PARKING_NOT_FENCED) {
        char event = (char) ('0' + RelayWorld.eventOf(record));
        String parked = w.parked().indexOf(event) >= 0 ? w.parked() : w.parked() + event;
        boolean led = w.term().phase() != Phase.NONE;
        RelayWorld after = w.withParked(parked).with(next);
        steps.to("the relay that led parks " + event, led ? after.with(Wrong.STALE_PARKED) : after);
      }
    } else if (stale.onSlot() && w.slot().there() && stale.confirmTo() > w.slot().confirmed()) {
      Slot slot = new Slot(true, w.slot().made(), stale.confirmTo());
      steps.to("the relay that led confirms the slot", w.with(slot).with(Stale.NONE));
    }
    if (stale.audit().is()) {
      Stored was = w.stored();
      Stored now = new Stored(stale.audit().seen(), stale.audit().at(), was.positions(), was.gap());
      RelayWorld after = w.with(now).with(Stale.NONE);
      steps.to(
          "the relay that led stores its audit",
          (was.audited() & ~now.audited()) == 0 ? after : after.with(Wrong.AUDITED_WENT_BACK));
    }
  }
}
