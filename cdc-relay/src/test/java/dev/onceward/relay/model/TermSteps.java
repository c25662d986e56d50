package dev.onceward.relay.model;

import dev.onceward.db.test.model.Model.Steps;
import dev.onceward.relay.model.RelayWorld.Audit;
import dev.onceward.relay.model.RelayWorld.Ledger;
import dev.onceward.relay.model.RelayWorld.Mark;
import dev.onceward.relay.model.RelayWorld.Phase;
import dev.onceward.relay.model.RelayWorld.Slot;
import dev.onceward.relay.model.RelayWorld.Stale;
import dev.onceward.relay.model.RelayWorld.Stored;
import dev.onceward.relay.model.RelayWorld.Stream;
import dev.onceward.relay.model.RelayWorld.Term;
import dev.onceward.relay.model.RelayWorld.Writers;

/** A term from the lock to the stream, its watermarks and its stream. */
final class TermSteps {
  private final RelayMistake mistake;

  TermSteps(RelayMistake mistake) {
    this.mistake = mistake;
  }

  void steps(RelayWorld w, Steps<RelayWorld> steps) {
    switch (w.term().phase()) {
      case NONE ->
          steps.to(
              "a relay takes the lock and reads relay_state",
              w.with(Term.NONE.with(Phase.LOCKED).withGap(w.stored().gap())));
      case LOCKED -> slot(w, steps);
      case GAP_NOTED -> make(w, steps);
      case PREPARED -> bound(w, steps);
      case BOUNDED -> readTail(w, steps);
      case FILLED -> {
        Stored stored = w.stored();
        Stored closed =
            new Stored(stored.audited(), stored.deliveredLsn(), stored.positions(), false);
        steps.to("RelayStateStore.closeGap", w.with(closed).with(w.term().with(Phase.STREAMING)));
      }
      case FILLING, STREAMING -> {}
    }
    if (w.term().phase().compareTo(Phase.BOUNDED) >= 0) {
      watermark(w, steps);
    }
    if (w.term().phase() == Phase.STREAMING) {
      stream(w, steps);
    }
  }

  /** {@code SlotPreparation.prepare}. */
  private void slot(RelayWorld w, Steps<RelayWorld> steps) {
    Slot slot = w.slot();
    Stored stored = w.stored();
    if (slot.there()) {
      Stale stale = w.stale();
      int confirmed = Math.max(slot.confirmed(), stored.deliveredLsn());
      steps.to(
          "the slot is there: terminateHolder, advanceTo",
          w.with(new Slot(true, slot.made(), confirmed))
              .with(new Stale(stale.toSend(), stale.confirmTo(), false, stale.audit()))
              .with(w.term().with(w.term().gap() ? Phase.PREPARED : Phase.BOUNDED)));
    } else {
      boolean noted = mistake != RelayMistake.GAP_NOT_STORED || stored.gap();
      Stored open = new Stored(stored.audited(), stored.deliveredLsn(), stored.positions(), noted);
      steps.to("RelayStateStore.openGap", w.with(open).with(w.term().with(Phase.GAP_NOTED)));
    }
  }

  /** {@code SlotMaker.create}, which waits for every open transaction. */
  private static void make(RelayWorld w, Steps<RelayWorld> steps) {
    Writers writers = w.writers();
    if (writers.running() == 0) {
      int end = writers.log().length();
      steps.to(
          "pg_create_logical_replication_slot",
          w.with(new Slot(true, end, end)).with(w.term().withGap(true).with(Phase.PREPARED)));
    }
  }

  /** {@code SlotPreparation.newSlot}. */
  private static void bound(RelayWorld w, Steps<RelayWorld> steps) {
    Mark before = w.writers().snapshot(w.slot().confirmed());
    steps.to(
        "a snapshot after the new slot", w.with(w.term().withBefore(before).with(Phase.BOUNDED)));
  }

  /** {@code KafkaTail.ledger} and {@code Parking.begin}, then {@code Auditor.fillBefore}. */
  private void readTail(RelayWorld w, Steps<RelayWorld> steps) {
    int from = mistake == RelayMistake.NO_TAIL_READ ? w.kafka().length() : w.stored().positions();
    int known = RelayWorld.bits(w.kafka().substring(from));
    int audited = w.stored().audited();
    int parked = RelayWorld.bits(w.parked());
    Ledger ledger = new Ledger(parked & ~audited, 0, known, from, true, -1, w.kafka().length());
    Term term = w.term().with(ledger).withParked(-1, parked & known);
    term = term.with(new Stream(w.slot().confirmed(), -1, "", 0, Mark.NONE));
    Mark before = term.before();
    boolean fills = term.gap() && mistake != RelayMistake.GAP_FILLED_LATER;
    Audit audit =
        fills
            ? new Audit(before.seen(), before, Mark.NONE, "")
            : new Audit(audited, Mark.NONE, Mark.NONE, "");
    term = term.withBefore(Mark.NONE).withGap(false);
    steps.to(
        "KafkaTail reads Kafka from topic offset " + from,
        w.with(term.with(audit).with(fills ? Phase.FILLING : Phase.STREAMING)));
  }

  /** {@code Watermarks.emit}: two statements. One is on its way at a time. */
  private void watermark(RelayWorld w, Steps<RelayWorld> steps) {
    Term term = w.term();
    int end = w.writers().log().length();
    Mark now = w.writers().snapshot(end);
    boolean reversed = mistake == RelayMistake.MESSAGE_BEFORE_SNAPSHOT;
    if (term.taken().is()) {
      Mark sent =
          reversed
              ? new Mark(now.seen(), now.running(), term.taken().at())
              : new Mark(term.taken().seen(), term.taken().running(), end);
      steps.to(
          reversed ? "pg_current_snapshot" : "pg_logical_emit_message",
          w.with(term.withMarks(Mark.NONE, sent)));
    } else if (!term.coming().is() && now.seen() != term.audit().delivered()) {
      steps.to(
          reversed ? "pg_logical_emit_message" : "pg_current_snapshot",
          w.with(term.withMarks(now, Mark.NONE)));
    }
  }

  /** {@code RelayHandler.handle} and the source's confirmation. */
  private void stream(RelayWorld w, Steps<RelayWorld> steps) {
    Term term = w.term();
    Stream stream = term.stream();
    if (stream.to() < 0) {
      if (w.slot().there()) {
        for (int to = stream.read(); to <= w.writers().log().length(); to++) {
          take(w, to, steps);
        }
      }
    } else if (!stream.unsent().isEmpty()) {
      dispatch(w, steps);
    } else {
      steps.to("the batch is acknowledged or parked", acknowledged(w));
    }
    boolean early = mistake == RelayMistake.CONFIRM_BEFORE_ACKNOWLEDGEMENT;
    int confirmable = early ? Math.max(stream.read(), stream.to()) : stream.read();
    if (w.slot().there() && confirmable > w.slot().confirmed()) {
      steps.to(
          "the slot is confirmed up to " + confirmable,
          w.with(new Slot(true, w.slot().made(), confirmable)));
    }
  }

  private void take(RelayWorld w, int to, Steps<RelayWorld> steps) {
    Term term = w.term();
    Stream stream = term.stream();
    Mark coming = term.coming();
    boolean brings = coming.is() && coming.at() <= to;
    if (to == stream.read() && !brings) {
      return;
    }
    StringBuilder unsent = new StringBuilder();
    int fresh = 0;
    for (char event : w.writers().log().substring(stream.read(), to).toCharArray()) {
      int number = RelayWorld.eventOf(event);
      boolean delivered = (term.audit().delivered() & (1 << number)) != 0;
      if (!delivered && !term.ledger().holds(number)) {
        unsent.append(event);
        fresh |= 1 << number;
      }
    }
    Stream batch =
        new Stream(stream.read(), to, unsent.toString(), fresh, brings ? coming : Mark.NONE);
    Term next = term.with(batch).withMarks(term.taken(), brings ? Mark.NONE : coming);
    if (brings && mistake == RelayMistake.WATERMARK_BEFORE_ACKNOWLEDGEMENT) {
      Audit audit = term.audit();
      next = next.with(new Audit(coming.seen(), coming, audit.target(), audit.repairs()));
      next = next.with(new Stream(stream.read(), to, unsent.toString(), fresh, Mark.NONE));
    }
    steps.to(
        "a batch up to " + to + (brings ? " with the watermark" : "") + " is taken", w.with(next));
  }

  /** {@code EventDispatcher.dispatch}: one by one to Kafka, or all that is left into parking. */
  private void dispatch(RelayWorld w, Steps<RelayWorld> steps) {
    Stream stream = w.term().stream();
    int handled = handledAtOnce(w, stream.unsent());
    String some = stream.unsent().substring(0, handled);
    Stream next =
        new Stream(
            stream.read(),
            stream.to(),
            stream.unsent().substring(handled),
            stream.fresh(),
            stream.mark());
    steps.to(
        goesToKafka(w) ? "Kafka acknowledges " + some : some + " is parked",
        sent(w, some).with(w.term().with(next)));
  }

  /** Behind a parked event of the aggregate, and while Kafka refuses, everything parks. */
  private boolean goesToKafka(RelayWorld w) {
    return !w.refused() && (w.parked().isEmpty() || mistake == RelayMistake.PARKED_IS_OVERTAKEN);
  }

  /** Kafka acknowledges one at a time; what parks does so in one transaction. */
  int handledAtOnce(RelayWorld w, String records) {
    return goesToKafka(w) ? 1 : records.length();
  }

  /** With the records in Kafka, or the events parked; an event is parked once. */
  RelayWorld sent(RelayWorld w, String records) {
    if (goesToKafka(w)) {
      return w.withKafka(w.kafka() + records);
    }
    StringBuilder parked = new StringBuilder(w.parked());
    for (int i = 0; i < records.length(); i++) {
      String event = Integer.toString(RelayWorld.eventOf(records.charAt(i)));
      if (parked.indexOf(event) < 0) {
        parked.append(event);
      }
    }
    return w.withParked(parked.toString());
  }

  private static RelayWorld acknowledged(RelayWorld w) {
    Term term = w.term();
    Stream stream = term.stream();
    Ledger ledger = term.ledger();
    for (int event = 0; event < Integer.SIZE; event++) {
      if ((stream.fresh() & (1 << event)) != 0) {
        int offset = w.kafka().lastIndexOf((char) ('0' + event));
        boolean sent = offset >= 0 && (RelayWorld.bits(w.parked()) & (1 << event)) == 0;
        ledger = sent ? ledger.sent(event, offset) : ledger.parked(event);
      }
    }
    Audit audit = term.audit();
    Mark mark = stream.mark();
    Audit told = mark.is() ? new Audit(mark.seen(), mark, audit.target(), audit.repairs()) : audit;
    return w.with(term.with(new Stream(stream.to(), -1, "", 0, Mark.NONE)).with(ledger).with(told));
  }
}
