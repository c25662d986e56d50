package dev.onceward.local.torture;

import java.util.ArrayList;
import java.util.List;

/**
 * How often something was found. Immutable.
 *
 * @param count how often
 * @param examples the first ones, for people
 */
public record Finding(long count, List<String> examples) {

  public static final Finding NONE = new Finding(0, List.of());

  public Finding {
    examples = List.copyOf(examples);
  }

  /** Both together. */
  public Finding plus(Finding other) {
    List<String> both = new ArrayList<>(examples);
    both.addAll(other.examples);
    return new Finding(count + other.count, both);
  }
}
