package dev.onceward.ops.offsets;

import dev.onceward.process.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how far back: {@code -10m} is ten minutes. */
final class BackOption implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    @Nullable Duration span = text.startsWith("-") ? DurationText.parse(text.substring(1)) : null;
    if (span == null || span.isZero() || span.isNegative()) {
      throw new TypeConversionException(
          "\"" + text + "\" does not say how far back: write -90s, -10m, -2h or -7d");
    }
    return span;
  }
}
