package dev.onceward.db.test.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.test.model.Exploration.Counterexample;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplorerTest {

  /** Two who read a number, add one and write it back. */
  private record Counter(int value, List<Integer> read, int done) {}

  private record Counting(boolean atomic, boolean mayDie) implements Model<Counter> {
    @Override
    public Counter initial() {
      return new Counter(0, List.of(-1, -1), 0);
    }

    @Override
    public void steps(Counter state, Steps<Counter> steps) {
      for (int who = 0; who < 2; who++) {
        int read = state.read.get(who);
        if (read == -1 && (!atomic || state.read.get(1 - who) < 0)) {
          steps.to(
              who + " reads", new Counter(state.value, with(state, who, state.value), state.done));
        } else if (read >= 0) {
          steps.to(who + " writes", new Counter(read + 1, with(state, who, -2), state.done + 1));
          if (mayDie) {
            steps.to(who + " dies", new Counter(state.value, with(state, who, -2), state.done));
          }
        }
      }
    }

    private static List<Integer> with(Counter state, int who, int read) {
      return who == 0 ? List.of(read, state.read.get(1)) : List.of(state.read.get(0), read);
    }

    @Override
    public List<Invariant<Counter>> invariants() {
      return List.of(new Invariant<>("nothing is lost", state -> state.value == state.done));
    }

    @Override
    public String endIsReachable() {
      return "both are done";
    }

    @Override
    public boolean isEnd(Counter state) {
      return state.done == 2;
    }
  }

  @Test
  void what_holds_in_every_state_is_said_to_hold() {
    Exploration exploration = Explorer.explore(new Counting(true, false), 100);
    assertThat(exploration.counterexample()).isEmpty();
    assertThat(exploration.states()).isEqualTo(8);
    assertThat(exploration.depth()).isEqualTo(4);
  }

  @Test
  void a_broken_invariant_comes_with_a_shortest_trace() {
    Counterexample found =
        Explorer.explore(new Counting(false, false), 100).counterexample().orElseThrow();
    assertThat(found.invariant()).isEqualTo("nothing is lost");
    assertThat(found.trace()).containsExactly("0 reads", "1 reads", "0 writes", "1 writes");
  }

  @Test
  void a_state_without_a_way_to_an_end_is_found() {
    Counterexample found =
        Explorer.explore(new Counting(true, true), 100).counterexample().orElseThrow();
    assertThat(found.invariant()).isEqualTo("both are done");
    assertThat(found.trace()).containsExactly("0 reads", "0 dies");
  }

  @Test
  void a_model_that_is_too_large_is_refused() {
    assertThatThrownBy(() -> Explorer.explore(new Counting(false, false), 3))
        .isInstanceOf(IllegalStateException.class);
  }
}
