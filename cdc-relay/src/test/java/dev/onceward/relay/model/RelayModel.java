package dev.onceward.relay.model;

import dev.onceward.db.test.model.Model;
import dev.onceward.relay.model.RelayWorld.Left;
import dev.onceward.relay.model.RelayWorld.Mark;
import dev.onceward.relay.model.RelayWorld.Slot;
import dev.onceward.relay.model.RelayWorld.Stale;
import dev.onceward.relay.model.RelayWorld.Stored;
import dev.onceward.relay.model.RelayWorld.Term;
import dev.onceward.relay.model.RelayWorld.Writers;
import dev.onceward.relay.model.RelayWorld.Wrong;
import java.util.List;

/** The relay's whole protocol; the package says which step is which class or statement. */
final class RelayModel implements Model<RelayWorld> {
  static final String DISPATCHED_IS_IN_KAFKA = "what counts as dispatched is in Kafka or parked";
  static final String CONFIRMED_IS_SAFE = "what the slot has confirmed is in Kafka or parked";
  static final String COMMITTED_ONLY = "nothing is in Kafka that was not committed";
  static final String ORDER = "an aggregate's events come in the order of their commits";
  static final String ONCE = "an event comes once, unless it was on its way as a term ended";
  static final String NEVER_BACK = "the audited snapshot never goes back";
  static final String ONE_PARKS = "only the leader parks";
  static final String ALL_ARRIVES = "in the end every committed event is in Kafka and audited";

  private final int transactions;
  private final Left trouble;
  private final TermSteps terms;
  private final AuditSteps audits;
  private final TroubleSteps troubles;

  RelayModel(int transactions, Left trouble, RelayMistake mistake) {
    this.transactions = transactions;
    this.trouble = trouble;
    this.terms = new TermSteps(mistake);
    this.audits = new AuditSteps(mistake, terms);
    this.troubles = new TroubleSteps(transactions, mistake);
  }

  @Override
  public RelayWorld initial() {
    return new RelayWorld(
        new Writers(0, "", 0, 0),
        "",
        "",
        false,
        new Slot(true, 0, 0),
        new Stored(0, 0, 0, false),
        Term.NONE,
        Stale.NONE,
        trouble,
        0,
        Wrong.NOTHING);
  }

  @Override
  public void steps(RelayWorld w, Steps<RelayWorld> steps) {
    troubles.steps(w, steps);
    terms.steps(w, steps);
    audits.steps(w, steps);
  }

  @Override
  public List<Invariant<RelayWorld>> invariants() {
    return List.of(
        new Invariant<>(
            DISPATCHED_IS_IN_KAFKA,
            w -> (w.stored().audited() & w.writers().logged() & ~w.safe()) == 0),
        new Invariant<>(CONFIRMED_IS_SAFE, RelayModel::confirmedIsSafe),
        new Invariant<>(
            COMMITTED_ONLY, w -> (RelayWorld.bits(w.kafka()) & ~w.writers().logged()) == 0),
        new Invariant<>(ORDER, RelayModel::inOrder),
        new Invariant<>(ONCE, RelayModel::once),
        new Invariant<>(NEVER_BACK, w -> w.wrong() != Wrong.AUDITED_WENT_BACK),
        new Invariant<>(ONE_PARKS, w -> w.wrong() != Wrong.STALE_PARKED));
  }

  private static boolean confirmedIsSafe(RelayWorld w) {
    Slot slot = w.slot();
    return !slot.there()
        || (RelayWorld.bits(w.writers().log().substring(slot.made(), slot.confirmed())) & ~w.safe())
            == 0;
  }

  /**
   * Of two events the one that was committed first is first in Kafka, if the other came by the
   * stream. What the audit repairs may be late among its like, but a gap is filled before the
   * stream.
   */
  private static boolean inOrder(RelayWorld w) {
    String log = w.writers().log();
    for (int later = 1; later < log.length(); later++) {
      int second = first(w.kafka(), log.charAt(later));
      if (second < 0 || w.kafka().charAt(second) >= 'a') {
        continue;
      }
      for (int earlier = 0; earlier < later; earlier++) {
        int first = first(w.kafka(), log.charAt(earlier));
        if (first < 0 || first > second) {
          return false;
        }
      }
    }
    return true;
  }

  private static int first(String kafka, char event) {
    for (int offset = 0; offset < kafka.length(); offset++) {
      if (RelayWorld.eventOf(kafka.charAt(offset)) == event - '0') {
        return offset;
      }
    }
    return -1;
  }

  private static boolean once(RelayWorld w) {
    int seen = 0;
    for (int offset = 0; offset < w.kafka().length(); offset++) {
      int bit = 1 << RelayWorld.eventOf(w.kafka().charAt(offset));
      if ((seen & bit & ~w.excused()) != 0) {
        return false;
      }
      seen |= bit;
    }
    return true;
  }

  @Override
  public String endIsReachable() {
    return ALL_ARRIVES;
  }

  @Override
  public boolean isEnd(RelayWorld w) {
    Writers writers = w.writers();
    return writers.begun() == transactions
        && writers.running() == 0
        && (writers.logged() & ~RelayWorld.bits(w.kafka())) == 0
        && w.parked().isEmpty()
        && (writers.logged() & ~w.stored().audited()) == 0
        && !w.stored().gap()
        && w.slot().there()
        && w.slot().confirmed() == writers.log().length()
        && w.term().coming().equals(Mark.NONE);
  }
}
