package dev.onceward.ops;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time as RFC 3339 writes it, or how long ago: {@code 90s}, {@code 10m}, {@code 2h}. */
public final class TimeArgument implements ITypeConverter<Instant> {

  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  @Override
  public Instant convert(String text) {
    Instant time = parse(text);
    if (time == null) {
      throw new TypeConversionException(
          "'" + text + "' is no time; write 2026-01-31T12:00:00Z, or how long ago, such as 10m");
    }
    if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
      throw new TypeConversionException("'" + text + "' lies before 1970 or after 9999");
    }
    return time;
  }

  private static @Nullable Instant parse(String text) {
    try {
      Duration ago = SpanArgument.parse(text);
      return ago == null
          ? OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant()
          : Instant.now().minus(ago);
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }
}
