package dev.onceward.worker.model;

import dev.onceward.db.operation.OperationState;
import dev.onceward.db.test.model.StateHash;
import java.util.ArrayList;
import java.util.List;

/**
 * One operation and everybody who has to do with it. Immutable.
 *
 * @param row its row
 * @param hands the threads that can work on it: two of worker 0, one of worker 1
 * @param owners the name of each worker's process in leases
 * @param stopping workers asked to stop, as bits
 * @param records events with a record that Kafka would deliver, as bits
 * @param left what may still happen to them
 * @param accepted keys under which the platform has had its effect, as bits
 * @param recorded how many effects are committed in the database
 * @param retriedAfterRefusal whether a person has retried what the platform refused
 * @param wrong what a step did that no step may
 */
record TaskWorld(
    Row row,
    List<Hand> hands,
    List<Integer> owners,
    int stopping,
    int records,
    Left left,
    int accepted,
    int recorded,
    boolean retriedAfterRefusal,
    Wrong wrong) {
  @Override
  public int hashCode() {
    return StateHash.of(
        row,
        hands,
        owners,
        stopping,
        records,
        left,
        accepted,
        recorded,
        retriedAfterRefusal,
        wrong);
  }

  /** Nobody of whom the model knows. */
  static final int NOBODY = -1;

  /**
   * The row in {@code operations}. Times are only past or not, since any time may pass between any
   * two steps.
   *
   * @param visible whether its transaction can be seen yet
   * @param expired whether {@code lease_expires_at} is past
   * @param due whether {@code next_attempt_at} is past
   * @param event the newest event, from 1
   * @param key what {@code coalesce(effect_key, event_id)} is
   * @param holder not in the table: the hand whose claim it is
   * @param begun not in the table: how often an attempt was begun and not handed back
   */
  record Row(
      boolean visible,
      OperationState state,
      int attempt,
      int owner,
      boolean expired,
      boolean due,
      int event,
      int key,
      int holder,
      int begun) {
    @Override
    public int hashCode() {
      return StateHash.of(visible, state, attempt, owner, expired, due, event, key, holder, begun);
    }

    static Row queued() {
      return new Row(false, OperationState.QUEUED, 0, NOBODY, false, false, 1, 1, NOBODY, 0);
    }

    Row seen() {
      return new Row(true, state, attempt, owner, expired, due, event, key, holder, begun);
    }

    Row leaseOver() {
      return new Row(visible, state, attempt, owner, true, due, event, key, holder, begun);
    }

    Row waitOver() {
      return new Row(visible, state, attempt, owner, expired, true, event, key, holder, begun);
    }

    Row claimed(int by, int byOwner, int newAttempt) {
      return new Row(
          visible,
          OperationState.RUNNING,
          newAttempt,
          byOwner,
          false,
          false,
          event,
          key,
          by,
          begun + 1);
    }

    /** Without a lease. */
    Row left(OperationState next, int newAttempt, int nowBegun) {
      return new Row(visible, next, newAttempt, NOBODY, false, false, event, key, NOBODY, nowBegun);
    }

    Row retried(int newEvent, int newKey) {
      return new Row(
          visible, OperationState.QUEUED, 0, NOBODY, false, false, newEvent, newKey, NOBODY, 0);
    }

    Row withoutHolder() {
      return new Row(visible, state, attempt, owner, expired, due, event, key, NOBODY, begun);
    }
  }

  /** What a thread does. */
  enum Phase {
    IDLE,
    /** It holds a record and has claimed in vain; it is about to ask why. */
    IN_VAIN,
    /** It found the attempts used up and is about to bury. */
    BURYING,
    /** The handler runs. */
    RUNNING,
    // The outcomes that are to be written.
    SUCCEEDED,
    FAILED,
    RETRIABLE,
    HANDED_BACK
  }

  /**
   * A thread of a worker.
   *
   * @param event the event that it works on
   * @param attempt of the lease
   * @param key towards the outside
   */
  record Hand(Phase phase, int event, int attempt, int key) {
    @Override
    public int hashCode() {
      return StateHash.of(phase, event, attempt, key);
    }

    static final Hand IDLE = new Hand(Phase.IDLE, 0, 0, 0);

    Hand to(Phase next) {
      return new Hand(next, event, attempt, key);
    }
  }

  /** How much trouble is left, so that there are finitely many states. */
  record Left(
      int crashes, int stops, int redeliveries, int lostAnswers, int retries, int cancels) {}

  /** What a step did that no step may. */
  enum Wrong {
    NOTHING,
    HELD_LEASE_TAKEN,
    LATE_FINISH,
    TRANSITION
  }

  TaskWorld with(Row next) {
    boolean allowed = next.state == row.state || row.state.successors().contains(next.state);
    return new TaskWorld(
        next,
        hands,
        owners,
        stopping,
        records,
        left,
        accepted,
        recorded,
        retriedAfterRefusal,
        allowed ? wrong : Wrong.TRANSITION);
  }

  TaskWorld with(int hand, Hand next) {
    List<Hand> changed = new ArrayList<>(hands);
    changed.set(hand, next);
    return new TaskWorld(
        row,
        List.copyOf(changed),
        owners,
        stopping,
        records,
        left,
        accepted,
        recorded,
        retriedAfterRefusal,
        wrong);
  }

  TaskWorld withProcess(int worker, int owner, boolean stops) {
    List<Integer> changed = new ArrayList<>(owners);
    changed.set(worker, owner);
    int nowStopping = stops ? stopping | (1 << worker) : stopping & ~(1 << worker);
    return new TaskWorld(
        row,
        hands,
        List.copyOf(changed),
        nowStopping,
        records,
        left,
        accepted,
        recorded,
        retriedAfterRefusal,
        wrong);
  }

  TaskWorld withRecords(int next) {
    return new TaskWorld(
        row, hands, owners, stopping, next, left, accepted, recorded, retriedAfterRefusal, wrong);
  }

  TaskWorld withLeft(Left next) {
    return new TaskWorld(
        row,
        hands,
        owners,
        stopping,
        records,
        next,
        accepted,
        recorded,
        retriedAfterRefusal,
        wrong);
  }

  TaskWorld withAccepted(int key) {
    return new TaskWorld(
        row,
        hands,
        owners,
        stopping,
        records,
        left,
        accepted | (1 << key),
        recorded,
        retriedAfterRefusal,
        wrong);
  }

  TaskWorld withRecorded() {
    return new TaskWorld(
        row,
        hands,
        owners,
        stopping,
        records,
        left,
        accepted,
        recorded + 1,
        retriedAfterRefusal,
        wrong);
  }

  TaskWorld withRetriedAfterRefusal() {
    return new TaskWorld(
        row, hands, owners, stopping, records, left, accepted, recorded, true, wrong);
  }

  TaskWorld withWrong(Wrong next) {
    return new TaskWorld(
        row, hands, owners, stopping, records, left, accepted, recorded, retriedAfterRefusal, next);
  }
}
