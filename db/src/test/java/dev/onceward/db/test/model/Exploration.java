package dev.onceward.db.test.model;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What came of an exploration.
 *
 * @param states how many different ones were seen
 * @param steps how many steps between them
 * @param depth how many steps the farthest state is away
 * @param took how long
 * @param counterexample empty if everything holds
 */
public record Exploration(
    int states, long steps, int depth, Duration took, Optional<Counterexample> counterexample) {

  /**
   * A shortest way to a state in which something does not hold.
   *
   * @param invariant its name
   * @param trace the names of the steps
   * @param state where they lead, as text
   */
  public record Counterexample(String invariant, List<String> trace, String state) {
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("broken: ").append(invariant);
      for (int i = 0; i < trace.size(); i++) {
        text.append("\n  ").append(i + 1).append(". ").append(trace.get(i));
      }
      return text.append("\n  in ").append(state).toString();
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d states, %,d steps, depth %d, %d ms%s",
        states,
        steps,
        depth,
        took.toMillis(),
        counterexample.map(found -> "\n" + found).orElse(""));
  }
}
