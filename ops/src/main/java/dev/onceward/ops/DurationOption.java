package dev.onceward.ops;

import dev.onceward.process.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Spans of time on the command line: {@code 90s}, {@code 10m}, {@code 2h}, {@code 7d}. */
public final class DurationOption implements ITypeConverter<Duration> {

  @Override
  public Duration convert(String text) {
    @Nullable Duration span = DurationText.parse(text);
    if (span == null) {
      throw new TypeConversionException(
          "\"" + text + "\" is no span of time: write 90s, 10m, 2h or 7d");
    }
    return span;
  }
}
