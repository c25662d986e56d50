package dev.onceward.local.torture;

import java.util.ArrayList;
import java.util.List;

/**
 * How often something was found. Immutable.
 *
 * @param count how often
 * @param examples the first ones, for people
 */
record Finding(long count, List<String> examples) {

  static final Finding NONE = new Finding(0, List.of());

  Finding {
    examples = List.copyOf(examples);
  }

  /** Both together. */
  Finding plus(Finding other) {
    List<String> both = new ArrayList<>(examples);
    both.addAll(other.examples);
    return new Finding(count + other.count, both);
  }
}
