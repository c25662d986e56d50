package dev.onceward.db.test.model;

import java.util.List;
import java.util.function.Predicate;

/**
 * A protocol of finitely many states.
 *
 * @param <S> a state: immutable, with equality by value
 */
public interface Model<S> {

  /**
   * What holds in every state that can be reached.
   *
   * @param name a sentence
   */
  record Invariant<S>(String name, Predicate<S> holds) {}

  /** Takes what can follow a state. */
  @FunctionalInterface
  interface Steps<S> {
    /**
     * One step that somebody can take.
     *
     * @param name who does what
     */
    void to(String name, S next);
  }

  /** Where everything begins. */
  S initial();

  /** Tells every step that is possible in a state; none if nothing can happen any more. */
  void steps(S state, Steps<S> steps);

  /** What must hold. */
  List<Invariant<S>> invariants();

  /** What is said if there is a state from which no end can be reached, as a sentence. */
  String endIsReachable();

  /** Whether everything is done in this state. */
  boolean isEnd(S state);
}
