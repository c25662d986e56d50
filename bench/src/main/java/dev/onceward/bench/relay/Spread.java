package dev.onceward.bench.relay;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The same number from several rounds.
 *
 * @param median of an even number of rounds, the upper of the two in the middle
 * @param min the least
 * @param max the greatest
 */
record Spread(double median, double min, double max) {

  /**
   * Of some runs.
   *
   * @return null if the number could not be measured in each of them
   */
  static <T> @Nullable Spread of(Collection<T> runs, ToDoubleFunction<T> number) {
    double[] sorted = runs.stream().mapToDouble(number).sorted().toArray();
    if (sorted.length == 0 || Arrays.stream(sorted).anyMatch(Double::isNaN)) {
      return null;
    }
    return new Spread(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
  }

  /** The median for people; a dash if there is none. */
  static String median(String format, @Nullable Spread spread) {
    return spread == null ? "-" : String.format(Locale.ROOT, format, spread.median);
  }
}
