package dev.onceward.ops;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A span such as {@code 90s}, {@code 10m}, {@code 2h} or {@code 7d}. */
public final class SpanArgument implements ITypeConverter<Duration> {

  private static final Pattern SPAN = Pattern.compile("(\\d{1,9})([smhd])");

  @Override
  public Duration convert(String text) {
    Duration span = parse(text);
    if (span == null) {
      throw new TypeConversionException("'" + text + "' is no span; write 90s, 10m, 2h or 7d");
    }
    return span;
  }

  /** Null when the text is none. */
  static @Nullable Duration parse(String text) {
    Matcher span = SPAN.matcher(text);
    if (!span.matches()) {
      return null;
    }
    long amount = Long.parseLong(span.group(1));
    return switch (span.group(2)) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
