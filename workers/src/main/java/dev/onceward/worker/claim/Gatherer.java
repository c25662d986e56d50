package dev.onceward.worker.claim;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does in one transaction what several threads ask for in one workspace at the same time. While one
 * of them is at it the others wait, and the first that waits then does the work of all that do: so
 * nothing is delayed while there is little to do, and transactions grow under load. Whoever asks
 * has a thread that waits for the answer, so what is claimed together starts at once. Thread-safe.
 *
 * <p>Failure: what cannot be done together is done one by one, unless the database is away.
 *
 * @param <Q> what is asked for
 * @param <R> what comes of it
 */
final class Gatherer<Q, R> {

  private static final Logger log = LoggerFactory.getLogger(Gatherer.class);

  /** One transaction for many. */
  @FunctionalInterface
  interface Together<Q, R> {
    /** Answers in the order of the questions. */
    List<R> answer(UUID workspaceId, List<Q> questions) throws SQLException;
  }

  /** A transaction for one. */
  @FunctionalInterface
  interface Alone<Q, R> {
    R answer(UUID workspaceId, Q question) throws SQLException;
  }

  private enum Turn {
    LEAD,
    ANSWERED
  }

  private static final class Call<Q, R> {
    private final Q question;
    private final CompletableFuture<Turn> turn = new CompletableFuture<>();
    private @Nullable R answer;
    private @Nullable Exception failure;

    private Call(Q question) {
      this.question = question;
    }

    private void answered(R with) {
      answer = with;
      turn.complete(Turn.ANSWERED);
    }

    private void failed(Exception why) {
      failure = why;
      turn.complete(Turn.ANSWERED);
    }

    private R result() throws SQLException {
      if (failure instanceof SQLException sql) {
        throw sql;
      }
      if (failure instanceof RuntimeException defect) {
        throw defect;
      }
      R given = answer;
      if (given == null) {
        throw new IllegalStateException("a gathered call got no answer");
      }
      return given;
    }
  }

  private final int atMost;
  private final Together<Q, R> together;
  private final Alone<Q, R> alone;

  /** Who waits in each workspace; a key without anybody waiting means that somebody leads. */
  private final Map<UUID, ArrayDeque<Call<Q, R>>> waiting = new HashMap<>();

  /**
   * Makes one.
   *
   * @param atMost so many in one transaction; 1 gathers nothing
   */
  Gatherer(int atMost, Together<Q, R> together, Alone<Q, R> alone) {
    this.atMost = atMost;
    this.together = together;
    this.alone = alone;
  }

  /**
   * Asks, with whoever else asks now.
   *
   * @throws InterruptedException if nothing was begun; what was begun is waited for
   */
  R call(UUID workspaceId, Q question) throws SQLException, InterruptedException {
    if (atMost == 1) {
      return alone.answer(workspaceId, question);
    }
    Call<Q, R> mine = new Call<>(question);
    if (joinsOthers(workspaceId, mine) && awaitTurn(workspaceId, mine) == Turn.ANSWERED) {
      return mine.result();
    }
    try {
      List<Call<Q, R>> calls = new ArrayList<>();
      calls.add(mine);
      takeWaiting(workspaceId, calls);
      answer(workspaceId, calls);
    } finally {
      passOn(workspaceId);
    }
    return mine.result();
  }

  private boolean joinsOthers(UUID workspaceId, Call<Q, R> mine) {
    synchronized (waiting) {
      ArrayDeque<Call<Q, R>> others = waiting.get(workspaceId);
      if (others == null) {
        waiting.put(workspaceId, new ArrayDeque<>());
        return false;
      }
      others.addLast(mine);
      return true;
    }
  }

  private Turn awaitTurn(UUID workspaceId, Call<Q, R> mine) throws InterruptedException {
    try {
      return mine.turn.get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("a turn is never exceptional", impossible);
    } catch (InterruptedException stopping) {
      if (withdrawn(workspaceId, mine)) {
        throw stopping;
      }
      Turn turn = mine.turn.join(); // somebody has begun, or it is our turn to
      if (turn == Turn.LEAD) {
        passOn(workspaceId);
        throw stopping;
      }
      Thread.currentThread().interrupt();
      return turn;
    }
  }

  private boolean withdrawn(UUID workspaceId, Call<Q, R> mine) {
    synchronized (waiting) {
      ArrayDeque<Call<Q, R>> others = waiting.get(workspaceId);
      return others != null && others.remove(mine);
    }
  }

  private void takeWaiting(UUID workspaceId, List<Call<Q, R>> calls) {
    synchronized (waiting) {
      ArrayDeque<Call<Q, R>> others = waiting.get(workspaceId);
      while (others != null && !others.isEmpty() && calls.size() < atMost) {
        calls.add(others.removeFirst());
      }
    }
  }

  private void passOn(UUID workspaceId) {
    synchronized (waiting) {
      ArrayDeque<Call<Q, R>> others = waiting.get(workspaceId);
      if (others == null || others.isEmpty()) {
        waiting.remove(workspaceId);
      } else {
        others.removeFirst().turn.complete(Turn.LEAD);
      }
    }
  }

  private void answer(UUID workspaceId, List<Call<Q, R>> calls) {
    try {
      if (calls.size() == 1 || !answeredTogether(workspaceId, calls)) {
        calls.forEach(call -> answerAlone(workspaceId, call));
      }
    } finally {
      // Only an Error gets here with somebody unanswered; nobody may wait for ever.
      calls.forEach(
          call -> {
            if (!call.turn.isDone() || (call.answer == null && call.failure == null)) {
              call.failed(new IllegalStateException("the transaction was broken off"));
            }
          });
    }
  }

  /** False if each is to be tried alone. */
  private boolean answeredTogether(UUID workspaceId, List<Call<Q, R>> calls) {
    try {
      List<R> answers =
          together.answer(workspaceId, calls.stream().map(call -> call.question).toList());
      for (int i = 0; i < calls.size(); i++) {
        calls.get(i).answered(answers.get(i));
      }
      return true;
    } catch (SQLException failure) {
      if (DatabaseFailures.away(failure)) {
        calls.forEach(call -> call.failed(failure));
        return true;
      }
      log.debug("a transaction for {} failed; each is tried alone", calls.size(), failure);
    } catch (RuntimeException refused) {
      log.debug("a transaction for {} was refused; each is tried alone", calls.size(), refused);
    }
    return false;
  }

  private void answerAlone(UUID workspaceId, Call<Q, R> call) {
    try {
      call.answered(alone.answer(workspaceId, call.question));
    } catch (SQLException | RuntimeException failure) {
      call.failed(failure);
    }
  }
}
