package dev.onceward.process;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as people write them: {@code 250ms}, {@code 10s}, {@code 5m}, {@code 2h}, {@code 7d}.
 * Stateless.
 */
public final class DurationText {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");

  private DurationText() {}

  /** Short form or ISO-8601; null when the text is neither, or the span is too long to count. */
  public static @Nullable Duration parse(String text) {
    try {
      Matcher matcher = SHORT.matcher(text);
      if (!matcher.matches()) {
        return Duration.parse(text);
      }
      long amount = Long.parseLong(matcher.group(1));
      return switch (matcher.group(2)) {
        case "ms" -> Duration.ofMillis(amount);
        case "s" -> Duration.ofSeconds(amount);
        case "m" -> Duration.ofMinutes(amount);
        case "h" -> Duration.ofHours(amount);
        default -> Duration.ofDays(amount);
      };
    } catch (DateTimeParseException | ArithmeticException notADuration) {
      return null;
    }
  }

  /** The short form where the span is a whole number of one unit, else ISO-8601. */
  public static String format(Duration duration) {
    if (duration.isNegative() || !duration.equals(Duration.ofMillis(duration.toMillis()))) {
      return duration.toString();
    }
    if (duration.toMillisPart() != 0) {
      return duration.toMillis() + "ms";
    }
    long seconds = duration.toSeconds();
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    if (seconds % 3_600 != 0) {
      return seconds / 60 + "m";
    }
    return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3_600 + "h";
  }
}
