package dev.onceward.db.test.model;

import dev.onceward.db.test.model.Exploration.Counterexample;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Visits every state of a model, breadth first, and ends at the first that breaks an invariant. If
 * none does, it also looks whether an end can be reached from each. Used once, by one thread.
 */
public final class Explorer<S> {
  private final Model<S> model;
  private final List<Model.Invariant<S>> invariants;
  private final int mostStates;
  private final Map<S, Integer> numbers = new HashMap<>();
  private final List<S> states = new ArrayList<>();
  private final List<String> ways = new ArrayList<>();
  private final Numbers parents = new Numbers();
  private final Numbers depths = new Numbers();
  private final Numbers from = new Numbers();
  private final Numbers to = new Numbers();
  private int broken = -1;

  private Explorer(Model<S> model, int mostStates) {
    this.model = model;
    this.invariants = model.invariants();
    this.mostStates = mostStates;
  }

  /**
   * Explores a model.
   *
   * @param mostStates where a model counts as too large
   * @throws IllegalStateException if it has more states
   */
  public static <S> Exploration explore(Model<S> model, int mostStates) {
    return new Explorer<>(model, mostStates).explore();
  }

  private Exploration explore() {
    long begunNanos = System.nanoTime();
    Optional<Counterexample> counterexample = visitAll();
    if (counterexample.isEmpty()) {
      counterexample = stuck().map(state -> counterexample(model.endIsReachable(), state));
    }
    return new Exploration(
        states.size(),
        from.size(),
        depths.get(states.size() - 1),
        Duration.ofNanos(System.nanoTime() - begunNanos),
        counterexample);
  }

  private Optional<Counterexample> visitAll() {
    visit(model.initial(), -1, "");
    for (int state = 0; state < states.size() && broken < 0; state++) {
      int here = state;
      model.steps(states.get(here), (name, next) -> step(here, name, next));
    }
    if (broken < 0) {
      return Optional.empty();
    }
    S state = states.get(broken);
    return invariants.stream()
        .filter(invariant -> !invariant.holds().test(state))
        .findFirst()
        .map(invariant -> counterexample(invariant.name(), broken));
  }

  private void step(int here, String name, S next) {
    Integer known = numbers.get(next);
    from.add(here);
    to.add(known == null ? visit(next, here, name) : known);
  }

  private int visit(S state, int parent, String way) {
    int number = states.size();
    if (number == mostStates) {
      throw new IllegalStateException("the model has more than " + mostStates + " states");
    }
    numbers.put(state, number);
    states.add(state);
    ways.add(way);
    parents.add(parent);
    depths.add(parent < 0 ? 0 : depths.get(parent) + 1);
    if (broken < 0 && breaks(state)) {
      broken = number;
    }
    return number;
  }

  private boolean breaks(S state) {
    for (Model.Invariant<S> invariant : invariants) {
      if (!invariant.holds().test(state)) {
        return true;
      }
    }
    return false;
  }

  /** The state nearest to the beginning from which no end can be reached. */
  private Optional<Integer> stuck() {
    int[] firstInto = new int[states.size()];
    int[] nextInto = new int[from.size()];
    Arrays.fill(firstInto, -1);
    for (int edge = 0; edge < from.size(); edge++) {
      nextInto[edge] = firstInto[to.get(edge)];
      firstInto[to.get(edge)] = edge;
    }
    boolean[] reaches = new boolean[states.size()];
    ArrayDeque<Integer> open = new ArrayDeque<>();
    for (int state = 0; state < states.size(); state++) {
      if (model.isEnd(states.get(state))) {
        reaches[state] = true;
        open.add(state);
      }
    }
    while (!open.isEmpty()) {
      for (int edge = firstInto[open.remove()]; edge >= 0; edge = nextInto[edge]) {
        int before = from.get(edge);
        if (!reaches[before]) {
          reaches[before] = true;
          open.add(before);
        }
      }
    }
    for (int state = 0; state < reaches.length; state++) {
      if (!reaches[state]) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }

  private Counterexample counterexample(String invariant, int state) {
    List<String> trace = new ArrayList<>();
    for (int at = state; parents.get(at) >= 0; at = parents.get(at)) {
      trace.add(ways.get(at));
    }
    Collections.reverse(trace);
    return new Counterexample(invariant, List.copyOf(trace), String.valueOf(states.get(state)));
  }

  /** A list of plain ints. */
  private static final class Numbers {
    private int[] values = new int[1024];
    private int size;

    void add(int value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    int get(int index) {
      return values[index];
    }

    int size() {
      return size;
    }
  }
}
