package dev.onceward.worker.model;

import static dev.onceward.worker.model.TaskWorld.NOBODY;

import dev.onceward.db.operation.OperationState;
import dev.onceward.db.test.model.Model;
import dev.onceward.worker.model.TaskWorld.Hand;
import dev.onceward.worker.model.TaskWorld.Left;
import dev.onceward.worker.model.TaskWorld.Phase;
import dev.onceward.worker.model.TaskWorld.Row;
import dev.onceward.worker.model.TaskWorld.Wrong;
import java.util.List;
import java.util.stream.IntStream;

/** Claim, lease and finish of one operation; the package says which step is which statement. */
final class ClaimModel implements Model<TaskWorld> {
  static final String ATTEMPTS_BOUNDED = "no more attempts begin than are allowed";
  static final String LATE_CHANGES_NOTHING = "a late finisher overwrites nothing";
  static final String HELD_IS_HELD = "a lease that has not expired is not taken";
  static final String ONE_EFFECT = "a task has at most one effect";
  static final String SUCCESS_IS_TRUE = "what succeeded has had its effect under its key";
  static final String TABLE = "states follow each other as OperationState says";
  static final String NEVER_STUCK = "a task is never stuck";

  private static final int MAX_ATTEMPTS = 2;
  private static final int[] WORKER_OF_HAND = {0, 0, 1};
  private static final int WORKERS = 2;

  private final ClaimMistake mistake;
  private final Left trouble;

  ClaimModel(ClaimMistake mistake, Left trouble) {
    this.mistake = mistake;
    this.trouble = trouble;
  }

  @Override
  public TaskWorld initial() {
    return new TaskWorld(
        Row.queued(),
        List.of(Hand.IDLE, Hand.IDLE, Hand.IDLE),
        List.of(0, 1),
        0,
        1 << 1,
        trouble,
        0,
        0,
        false,
        Wrong.NOTHING);
  }

  @Override
  public List<Invariant<TaskWorld>> invariants() {
    return List.of(
        new Invariant<>(
            ATTEMPTS_BOUNDED,
            w -> w.row().begun() <= MAX_ATTEMPTS && w.row().attempt() <= MAX_ATTEMPTS),
        new Invariant<>(LATE_CHANGES_NOTHING, w -> w.wrong() != Wrong.LATE_FINISH),
        new Invariant<>(HELD_IS_HELD, w -> w.wrong() != Wrong.HELD_LEASE_TAKEN),
        new Invariant<>(
            ONE_EFFECT,
            w ->
                w.recorded() <= 1
                    && (w.retriedAfterRefusal() || Integer.bitCount(w.accepted()) <= 1)),
        new Invariant<>(
            SUCCESS_IS_TRUE,
            w ->
                w.row().state() != OperationState.SUCCEEDED
                    || (w.recorded() == 1 && (w.accepted() & (1 << w.row().key())) != 0)),
        new Invariant<>(TABLE, w -> w.wrong() != Wrong.TRANSITION));
  }

  @Override
  public String endIsReachable() {
    return NEVER_STUCK;
  }

  @Override
  public boolean isEnd(TaskWorld w) {
    return w.row().state().isFinal()
        && w.records() == 0
        && w.hands().stream().allMatch(hand -> hand.phase() == Phase.IDLE);
  }

  @Override
  public void steps(TaskWorld w, Steps<TaskWorld> steps) {
    time(w, steps);
    people(w, steps);
    for (int worker = 0; worker < WORKERS; worker++) {
      process(w, worker, steps);
    }
    for (int hand = 0; hand < WORKER_OF_HAND.length; hand++) {
      String who = "worker " + WORKER_OF_HAND[hand] + " thread " + hand + ": ";
      switch (w.hands().get(hand).phase()) {
        case IDLE -> idle(w, hand, who, steps);
        case IN_VAIN -> reason(w, hand, who, steps);
        case BURYING -> bury(w, hand, who, steps);
        case RUNNING -> run(w, hand, who, steps);
        default -> finish(w, hand, who, steps);
      }
    }
  }

  private static void time(TaskWorld w, Steps<TaskWorld> steps) {
    Row row = w.row();
    if (!row.visible()) {
      steps.to("the transaction comes into sight", w.with(row.seen()));
    }
    if (row.state() == OperationState.RUNNING && !row.expired()) {
      steps.to("the lease expires", w.with(row.leaseOver()));
    }
    if (row.state() == OperationState.WAITING_RETRY && !row.due()) {
      steps.to("the wait for the next attempt is over", w.with(row.waitOver()));
    }
    Left left = w.left();
    for (int event = 1; event <= row.event(); event++) {
      if (left.redeliveries() > 0 && (w.records() & (1 << event)) == 0) {
        Left less =
            new Left(
                left.crashes(),
                left.stops(),
                left.redeliveries() - 1,
                left.lostAnswers(),
                left.retries(),
                left.cancels());
        steps.to(
            "Kafka delivers event " + event + " again",
            w.withRecords(w.records() | (1 << event)).withLeft(less));
      }
    }
  }

  /** {@code OperationControl}. */
  private void people(TaskWorld w, Steps<TaskWorld> steps) {
    Row row = w.row();
    Left left = w.left();
    OperationState state = row.state();
    if (left.cancels() > 0
        && row.visible()
        && (state == OperationState.QUEUED || state == OperationState.WAITING_RETRY)) {
      Left less =
          new Left(
              left.crashes(),
              left.stops(),
              left.redeliveries(),
              left.lostAnswers(),
              left.retries(),
              left.cancels() - 1);
      steps.to(
          "a person cancels",
          w.with(row.left(OperationState.CANCELLED, row.attempt(), row.begun())).withLeft(less));
    }
    if (left.retries() > 0 && (state == OperationState.FAILED || state == OperationState.DEAD)) {
      Left less =
          new Left(
              left.crashes(),
              left.stops(),
              left.redeliveries(),
              left.lostAnswers(),
              left.retries() - 1,
              left.cancels());
      boolean keepsKey =
          state == OperationState.DEAD && mistake != ClaimMistake.NEW_KEY_AFTER_DEATH;
      int event = row.event() + 1;
      TaskWorld next =
          w.with(row.retried(event, keepsKey ? row.key() : event))
              .withRecords(w.records() | (1 << event))
              .withLeft(less);
      steps.to(
          "a person retries",
          state == OperationState.FAILED ? next.withRetriedAfterRefusal() : next);
    }
  }

  private static void process(TaskWorld w, int worker, Steps<TaskWorld> steps) {
    Left left = w.left();
    boolean stopping = (w.stopping() & (1 << worker)) != 0;
    int newOwner = w.owners().get(worker) + WORKERS;
    if (left.crashes() > 0) {
      Left less =
          new Left(
              left.crashes() - 1,
              left.stops(),
              left.redeliveries(),
              left.lostAnswers(),
              left.retries(),
              left.cancels());
      steps.to(
          "worker " + worker + " is killed and started anew",
          ended(w, worker).withProcess(worker, newOwner, false).withLeft(less));
    }
    if (left.stops() > 0 && !stopping) {
      Left less =
          new Left(
              left.crashes(),
              left.stops() - 1,
              left.redeliveries(),
              left.lostAnswers(),
              left.retries(),
              left.cancels());
      TaskWorld next = w.withProcess(worker, w.owners().get(worker), true).withLeft(less);
      for (int hand : handsOf(worker)) {
        if (w.hands().get(hand).phase() == Phase.RUNNING) {
          next = next.with(hand, w.hands().get(hand).to(Phase.HANDED_BACK));
        }
      }
      steps.to("worker " + worker + " is asked to stop", next);
    }
    if (stopping
        && IntStream.of(handsOf(worker))
            .allMatch(hand -> w.hands().get(hand).phase() == Phase.IDLE)) {
      steps.to(
          "worker " + worker + " has stopped and is started anew",
          w.withProcess(worker, newOwner, false));
    }
  }

  private static int[] handsOf(int worker) {
    return IntStream.range(0, WORKER_OF_HAND.length)
        .filter(hand -> WORKER_OF_HAND[hand] == worker)
        .toArray();
  }

  /** What a dead process leaves: its lease, and its records for another delivery. */
  private static TaskWorld ended(TaskWorld w, int worker) {
    TaskWorld next = w;
    for (int hand : handsOf(worker)) {
      Hand was = w.hands().get(hand);
      if (was.phase() == Phase.IN_VAIN) {
        next = next.withRecords(next.records() | (1 << was.event()));
      }
      if (w.row().holder() == hand) {
        next = next.with(w.row().withoutHolder());
      }
      next = next.with(hand, Hand.IDLE);
    }
    return next;
  }

  private void idle(TaskWorld w, int hand, String who, Steps<TaskWorld> steps) {
    Row row = w.row();
    for (int event = 1; event <= row.event(); event++) {
      if ((w.records() & (1 << event)) != 0) {
        TaskWorld taken = w.withRecords(w.records() & ~(1 << event));
        if (row.visible() && claimable(row, event, false)) {
          steps.to(who + "OperationClaims.claimFresh of event " + event, claim(taken, hand));
        } else if (row.visible()) {
          steps.to(
              who + "claimFresh of event " + event + " finds no row",
              taken.with(hand, new Hand(Phase.IN_VAIN, event, 0, 0)));
        } else {
          steps.to(who + "OPERATION_NOT_FOUND after a minute, event " + event, taken);
        }
      }
    }
    if (row.visible() && isDue(row)) {
      if (claimable(row, row.event(), true)) {
        steps.to(
            who + "DueTaskLoop, OperationClaims.claim of event " + row.event(), claim(w, hand));
      } else if (row.attempt() >= MAX_ATTEMPTS) {
        steps.to(
            who + "DueTaskLoop, ATTEMPTS_USED_UP",
            w.with(hand, new Hand(Phase.BURYING, row.event(), 0, 0)));
      }
    }
  }

  /** {@code due_operations}. */
  private boolean isDue(Row row) {
    return switch (row.state()) {
      case WAITING_RETRY -> row.due();
      case RUNNING -> row.expired() && mistake != ClaimMistake.NO_REAPER;
      default -> row.state() == OperationState.QUEUED;
    };
  }

  private boolean claimable(Row row, int event, boolean leftToo) {
    return row.event() == event
        && (row.attempt() < MAX_ATTEMPTS || mistake == ClaimMistake.CLAIM_WITHOUT_LIMIT)
        && switch (row.state()) {
          case QUEUED -> true;
          case WAITING_RETRY -> row.due();
          case RUNNING ->
              (leftToo && row.expired()) || mistake == ClaimMistake.CLAIM_TAKES_A_HELD_LEASE;
          default -> false;
        };
  }

  private TaskWorld claim(TaskWorld w, int hand) {
    Row row = w.row();
    int worker = WORKER_OF_HAND[hand];
    boolean held = row.state() == OperationState.RUNNING && !row.expired();
    int attempt =
        mistake == ClaimMistake.ATTEMPT_COUNTED_AT_THE_END ? row.attempt() : row.attempt() + 1;
    boolean stopping = (w.stopping() & (1 << worker)) != 0;
    TaskWorld next =
        w.with(row.claimed(hand, w.owners().get(worker), attempt))
            .with(
                hand,
                new Hand(
                    stopping ? Phase.HANDED_BACK : Phase.RUNNING, row.event(), attempt, row.key()));
    return held ? next.withWrong(Wrong.HELD_LEASE_TAKEN) : next;
  }

  /** {@code ClaimReasons}, a statement of its own. */
  private static void reason(TaskWorld w, int hand, String who, Steps<TaskWorld> steps) {
    Row row = w.row();
    int event = w.hands().get(hand).event();
    TaskWorld next = w.with(hand, Hand.IDLE);
    if (row.event() == event && row.state() == OperationState.QUEUED) {
      steps.to(
          who + "QUEUED, event " + event + " is tried again",
          next.withRecords(w.records() | (1 << event)));
    } else {
      steps.to(who + "acknowledges event " + event, next);
    }
  }

  /** {@code OperationClaims.buryExpired}. */
  private void bury(TaskWorld w, int hand, String who, Steps<TaskWorld> steps) {
    Row row = w.row();
    boolean matches =
        row.state() == OperationState.RUNNING
            && ((row.attempt() >= MAX_ATTEMPTS && row.expired())
                || mistake == ClaimMistake.BURIED_UNSEEN);
    TaskWorld next = w.with(hand, Hand.IDLE);
    if (!matches) {
      steps.to(who + "buryExpired finds no row", next);
    } else {
      TaskWorld buried = next.with(row.left(OperationState.DEAD, row.attempt(), row.begun()));
      steps.to(
          who + "buryExpired", row.expired() ? buried : buried.withWrong(Wrong.HELD_LEASE_TAKEN));
    }
  }

  /** The handler, on its own or ended by time-out, renewer or stop. */
  private void run(TaskWorld w, int hand, String who, Steps<TaskWorld> steps) {
    Hand running = w.hands().get(hand);
    steps.to(
        who + "the platform does it",
        w.withAccepted(running.key()).with(hand, running.to(Phase.SUCCEEDED)));
    steps.to(
        who + "the platform does it and its answer is lost",
        w.withAccepted(running.key()).with(hand, running.to(Phase.RETRIABLE)));
    steps.to(who + "the platform is away or too slow", w.with(hand, running.to(Phase.RETRIABLE)));
    if ((w.accepted() & (1 << running.key())) == 0) {
      steps.to(who + "the platform refuses", w.with(hand, running.to(Phase.FAILED)));
    }
    if (w.row().expired() || !matches(w, hand)) {
      steps.to(who + "OperationClaims.renew finds no row", w.with(hand, Hand.IDLE));
    }
  }

  /** Whether the UPDATE that ends an attempt finds the row. */
  private boolean matches(TaskWorld w, int hand) {
    Row row = w.row();
    Hand mine = w.hands().get(hand);
    return row.state() == OperationState.RUNNING
        && (row.owner() == w.owners().get(WORKER_OF_HAND[hand])
            || mistake == ClaimMistake.FINISH_WITHOUT_OWNER)
        && (row.attempt() == mine.attempt() || mistake == ClaimMistake.FINISH_WITHOUT_ATTEMPT)
        && (row.event() == mine.event() || mistake == ClaimMistake.FINISH_WITHOUT_EVENT);
  }

  /** {@code TaskFinisher}. */
  private void finish(TaskWorld w, int hand, String who, Steps<TaskWorld> steps) {
    Hand mine = w.hands().get(hand);
    if (!matches(w, hand)) {
      TaskWorld next = w.with(hand, Hand.IDLE);
      boolean stays = mistake == ClaimMistake.LATE_WRITES_STAY && mine.phase() == Phase.SUCCEEDED;
      steps.to(
          who + "the end " + mine.phase() + " finds no row", stays ? next.withRecorded() : next);
      return;
    }
    TaskWorld written = written(w, hand, mine);
    steps.to(who + "writes the end " + mine.phase(), written.with(hand, Hand.IDLE));
    Left left = w.left();
    if (left.lostAnswers() > 0) {
      Left less =
          new Left(
              left.crashes(),
              left.stops(),
              left.redeliveries(),
              left.lostAnswers() - 1,
              left.retries(),
              left.cancels());
      steps.to(
          who + "writes the end " + mine.phase() + ", and the answer to COMMIT is lost",
          written.withLeft(less));
    }
  }

  private TaskWorld written(TaskWorld w, int hand, Hand mine) {
    Row row = w.row();
    int attempt =
        mistake == ClaimMistake.ATTEMPT_COUNTED_AT_THE_END ? row.attempt() + 1 : row.attempt();
    TaskWorld next =
        switch (mine.phase()) {
          case SUCCEEDED ->
              w.with(row.left(OperationState.SUCCEEDED, attempt, row.begun())).withRecorded();
          case FAILED -> w.with(row.left(OperationState.FAILED, attempt, row.begun()));
          case HANDED_BACK ->
              w.with(row.left(OperationState.QUEUED, row.attempt() - 1, row.begun() - 1));
          default ->
              w.with(
                  row.left(
                      attempt < MAX_ATTEMPTS ? OperationState.WAITING_RETRY : OperationState.DEAD,
                      attempt,
                      row.begun()));
        };
    return row.holder() == hand || handsBackForAnother(w, hand, mine)
        ? next
        : next.withWrong(Wrong.LATE_FINISH);
  }

  /**
   * A stopping process runs nothing any more: whichever of its threads hands the operation back,
   * and be it for the second time, does what the other was about to do.
   */
  private static boolean handsBackForAnother(TaskWorld w, int hand, Hand mine) {
    int holder = w.row().holder();
    return mine.phase() == Phase.HANDED_BACK
        && holder != NOBODY
        && WORKER_OF_HAND[holder] == WORKER_OF_HAND[hand]
        && w.hands().get(holder).phase() == Phase.HANDED_BACK;
  }
}
