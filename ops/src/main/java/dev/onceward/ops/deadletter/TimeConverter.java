package dev.onceward.ops.deadletter;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time as RFC 3339 writes it, or how long ago: {@code 90s}, {@code 10m}, {@code 2h}, {@code 7d}.
 */
final class TimeConverter implements ITypeConverter<Instant> {

  private static final Pattern AGO = Pattern.compile("(\\d{1,9})([smhd])");

  @Override
  public Instant convert(String text) {
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      return Instant.now().minus(span(Long.parseLong(ago.group(1)), ago.group(2)));
    }
    try {
      return OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant();
    } catch (DateTimeException notATime) {
      throw new TypeConversionException(
          "'" + text + "' is no time; write 2026-01-31T12:00:00Z, or how long ago, such as 10m");
    }
  }

  private static Duration span(long amount, String unit) {
    return switch (unit) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
