package dev.onceward.bench.page;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Something that a measurement was to reach.
 *
 * @param what in words
 * @param measured the number; empty if one of its parts was not measured
 * @param limit that it is compared with
 * @param atLeast whether more is better
 */
record Aim(String what, OptionalDouble measured, double limit, boolean atLeast) {

  /** A ratio of two numbers that were measured in one run. */
  static OptionalDouble ratio(OptionalDouble above, OptionalDouble below) {
    return above.isPresent() && below.isPresent() && below.getAsDouble() != 0
        ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
        : OptionalDouble.empty();
  }

  /** A line of a Markdown table. */
  String line() {
    return measured.isEmpty()
        ? String.format(
            Locale.ROOT, "| %s | – | %s %s | not measured |%n", what, sign(), number(limit))
        : String.format(
            Locale.ROOT,
            "| %s | %s | %s %s | %s |%n",
            what,
            number(measured.getAsDouble()),
            sign(),
            number(limit),
            isReached() ? "yes" : "**no**");
  }

  boolean isReached() {
    return measured.isPresent()
        && (atLeast ? measured.getAsDouble() >= limit : measured.getAsDouble() <= limit);
  }

  private String sign() {
    return atLeast ? "≥" : "≤";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
  }
}
