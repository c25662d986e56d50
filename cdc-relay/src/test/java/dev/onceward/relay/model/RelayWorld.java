package dev.onceward.relay.model;

import dev.onceward.db.test.model.StateHash;

/**
 * Writers, PostgreSQL, Kafka and relays. Sets of transactions are bits; a transaction has one event
 * and its own number. Log positions count the commits before them. Immutable.
 *
 * @param writers the transactions
 * @param kafka the one partition: {@code 0} from the stream, {@code a} marked as the audit's
 *     repair, {@code A} from the loop over parked events, each for transaction 0
 * @param parked {@code parked_events} in the order of parking
 * @param refused whether Kafka refuses the topic
 * @param slot the replication slot
 * @param stored the row in {@code relay_state}
 * @param term the leading relay's, or {@link Term#NONE}
 * @param stale a relay that led, has lost the lock, and does not know it yet
 * @param left what may still go wrong
 * @param excused events that may come twice, because they were on their way as a term ended
 * @param wrong what a step did that no step may
 */
record RelayWorld(
    Writers writers,
    String kafka,
    String parked,
    boolean refused,
    Slot slot,
    Stored stored,
    Term term,
    Stale stale,
    Left left,
    int excused,
    Wrong wrong) {
  @Override
  public int hashCode() {
    return StateHash.of(
        writers, kafka, parked, refused, slot, stored, term, stale, left, excused, wrong);
  }

  /**
   * The transactions; their numbers are in the order of their ids, which they get as they begin.
   *
   * @param begun how many
   * @param log those whose commit is in the log, in its order
   * @param visible those that snapshots see as committed, a moment after that
   * @param aborted those rolled back
   */
  record Writers(int begun, String log, int visible, int aborted) {
    @Override
    public int hashCode() {
      return StateHash.of(begun, log, visible, aborted);
    }

    int logged() {
      return bits(log);
    }

    int running() {
      return ((1 << begun) - 1) & ~(visible | aborted);
    }

    /** {@code pg_current_snapshot()}. */
    Mark snapshot(int at) {
      return new Mark(visible | aborted, running(), at);
    }
  }

  /**
   * A snapshot on its way around.
   *
   * @param seen the transactions that it sees as finished
   * @param running those that it lists as running
   * @param at the message's position in the log
   */
  record Mark(int seen, int running, int at) {
    @Override
    public int hashCode() {
      return StateHash.of(seen, running, at);
    }

    static final Mark NONE = new Mark(-1, 0, 0);

    boolean is() {
      return seen >= 0;
    }
  }

  /** The slot; {@code made} is where it began. */
  record Slot(boolean there, int made, int confirmed) {}

  /** {@code relay_state}. */
  record Stored(int audited, int deliveredLsn, int positions, boolean gap) {}

  /** How far a term is. */
  enum Phase {
    NONE,
    /** It holds the lock and has read {@code relay_state}. */
    LOCKED,
    /** The slot is missing; that it will have a gap is noted. */
    GAP_NOTED,
    /** The slot is there and nobody else streams from it. */
    PREPARED,
    /** What a new slot does not bring has been looked at; Kafka is read next. */
    BOUNDED,
    FILLING,
    FILLED,
    STREAMING
  }

  /**
   * The leading relay's memory.
   *
   * @param gap whether the slot has a gap to fill
   * @param before what the gap ends before
   * @param taken a snapshot whose message is not written yet
   * @param coming the watermark on its way
   * @param sent a parked event that Kafka has and whose row is still there, or -1
   * @param already parked events that Kafka was found to have
   */
  record Term(
      Phase phase,
      boolean gap,
      Mark before,
      Mark taken,
      Mark coming,
      Stream stream,
      Audit audit,
      Ledger ledger,
      int sent,
      int already) {
    @Override
    public int hashCode() {
      return StateHash.of(phase, gap, before, taken, coming, stream, audit, ledger, sent, already);
    }

    static final Term NONE =
        new Term(
            Phase.NONE,
            false,
            Mark.NONE,
            Mark.NONE,
            Mark.NONE,
            Stream.NONE,
            Audit.NONE,
            Ledger.NONE,
            -1,
            0);

    Term with(Phase next) {
      return new Term(next, gap, before, taken, coming, stream, audit, ledger, sent, already);
    }

    Term withGap(boolean next) {
      return new Term(phase, next, before, taken, coming, stream, audit, ledger, sent, already);
    }

    Term withBefore(Mark next) {
      return new Term(phase, gap, next, taken, coming, stream, audit, ledger, sent, already);
    }

    Term withMarks(Mark nextTaken, Mark nextComing) {
      return new Term(
          phase, gap, before, nextTaken, nextComing, stream, audit, ledger, sent, already);
    }

    Term with(Stream next) {
      return new Term(phase, gap, before, taken, coming, next, audit, ledger, sent, already);
    }

    Term with(Audit next) {
      return new Term(phase, gap, before, taken, coming, stream, next, ledger, sent, already);
    }

    Term with(Ledger next) {
      return new Term(phase, gap, before, taken, coming, stream, audit, next, sent, already);
    }

    Term withParked(int nextSent, int nextAlready) {
      return new Term(
          phase, gap, before, taken, coming, stream, audit, ledger, nextSent, nextAlready);
    }
  }

  /**
   * What {@code RelayHandler} does.
   *
   * @param read up to where the stream is acknowledged
   * @param to where the batch in hand ends, or -1 without one
   * @param unsent its events that are neither acknowledged nor parked
   * @param fresh its events that were not known to be delivered
   * @param mark the newest watermark in it
   */
  record Stream(int read, int to, String unsent, int fresh, Mark mark) {
    @Override
    public int hashCode() {
      return StateHash.of(read, to, unsent, fresh, mark);
    }

    static final Stream NONE = new Stream(0, -1, "", 0, Mark.NONE);
  }

  /**
   * What {@code Auditor} does.
   *
   * @param delivered the newest snapshot that it was told of
   * @param next a watermark that waits for it
   * @param target the one that it is at
   * @param repairs events that it found missing and has still to send
   */
  record Audit(int delivered, Mark next, Mark target, String repairs) {
    @Override
    public int hashCode() {
      return StateHash.of(delivered, next, target, repairs);
    }

    static final Audit NONE = new Audit(0, Mark.NONE, Mark.NONE, "");
  }

  /**
   * {@code DeliveryLedger} and its {@code KnownEvents}.
   *
   * @param held events that this term knows to be delivered and that are not audited
   * @param acknowledged those of them whose topic offset it knows
   * @param known what Kafka held when the term began
   * @param knownFrom from where that was read
   * @param needed whether it is still needed
   * @param horizon the transactions that were running at the first audit, or -1 before it
   * @param end the highest topic offset known, plus one
   */
  record Ledger(
      int held, int acknowledged, int known, int knownFrom, boolean needed, int horizon, int end) {
    static final Ledger NONE = new Ledger(0, 0, 0, 0, false, -1, 0);

    boolean holds(int event) {
      return ((held | known) & (1 << event)) != 0;
    }

    Ledger sent(int event, int offset) {
      return new Ledger(
          held | (1 << event),
          acknowledged | (1 << event),
          known,
          knownFrom,
          needed,
          horizon,
          Math.max(end, offset + 1));
    }

    Ledger repaired(int offset) {
      return new Ledger(
          held, acknowledged, known, knownFrom, needed, horizon, Math.max(end, offset + 1));
    }

    Ledger parked(int event) {
      return new Ledger(held | (1 << event), acknowledged, known, knownFrom, needed, horizon, end);
    }
  }

  /**
   * One that has lost the lock unawares.
   *
   * @param toSend what it had begun to send
   * @param confirmTo what it would confirm after that
   * @param onSlot whether it still streams from the slot
   * @param audit what it would store, if that were not fenced
   */
  record Stale(String toSend, int confirmTo, boolean onSlot, Mark audit) {
    static final Stale NONE = new Stale("", -1, false, Mark.NONE);
  }

  /** How much trouble is left, so that there are finitely many states. */
  record Left(
      int crashes, int stalls, int serverCrashes, int slotLosses, int refusals, int aborts) {}

  /** What a step did that no step may. */
  enum Wrong {
    NOTHING,
    AUDITED_WENT_BACK,
    STALE_PARKED
  }

  static int bits(String events) {
    int bits = 0;
    for (int i = 0; i < events.length(); i++) {
      bits |= 1 << eventOf(events.charAt(i));
    }
    return bits;
  }

  static int eventOf(char record) {
    return record >= 'a' ? record - 'a' : record >= 'A' ? record - 'A' : record - '0';
  }

  /** Events that are in Kafka or parked. */
  int safe() {
    return bits(kafka) | bits(parked);
  }

  RelayWorld with(Writers next) {
    return new RelayWorld(
        next, kafka, parked, refused, slot, stored, term, stale, left, excused, wrong);
  }

  RelayWorld withKafka(String next) {
    return new RelayWorld(
        writers, next, parked, refused, slot, stored, term, stale, left, excused, wrong);
  }

  RelayWorld withParked(String next) {
    return new RelayWorld(
        writers, kafka, next, refused, slot, stored, term, stale, left, excused, wrong);
  }

  RelayWorld withRefused(boolean next) {
    return new RelayWorld(
        writers, kafka, parked, next, slot, stored, term, stale, left, excused, wrong);
  }

  RelayWorld with(Slot next) {
    return new RelayWorld(
        writers, kafka, parked, refused, next, stored, term, stale, left, excused, wrong);
  }

  RelayWorld with(Stored next) {
    return new RelayWorld(
        writers, kafka, parked, refused, slot, next, term, stale, left, excused, wrong);
  }

  RelayWorld with(Term next) {
    return new RelayWorld(
        writers, kafka, parked, refused, slot, stored, next, stale, left, excused, wrong);
  }

  RelayWorld with(Stale next) {
    return new RelayWorld(
        writers, kafka, parked, refused, slot, stored, term, next, left, excused, wrong);
  }

  RelayWorld with(Left next) {
    return new RelayWorld(
        writers, kafka, parked, refused, slot, stored, term, stale, next, excused, wrong);
  }

  RelayWorld withExcused(int next) {
    return new RelayWorld(
        writers, kafka, parked, refused, slot, stored, term, stale, left, next, wrong);
  }

  RelayWorld with(Wrong next) {
    return new RelayWorld(
        writers, kafka, parked, refused, slot, stored, term, stale, left, excused, next);
  }
}
