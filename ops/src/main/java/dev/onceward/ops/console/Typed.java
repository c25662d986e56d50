package dev.onceward.ops.console;

import dev.onceward.ops.AggregateArgument;
import dev.onceward.ops.TimeArgument;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** Understands what somebody typed; null stays null. Stateless. */
final class Typed {
  private static final int UUID_LENGTH = 36;

  private Typed() {}

  /** An id. */
  static @Nullable UUID uuid(String field, @Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      if (text.length() == UUID_LENGTH) {
        return UUID.fromString(text);
      }
    } catch (IllegalArgumentException reportedBelow) {
      // as a text of another length is
    }
    throw new BadInputException(
        field
            + " \""
            + text
            + "\" is no id; an id has 36 characters, such as"
            + " 0190e0a4-0000-7000-8000-000000000001");
  }

  /** A time, or how long ago. */
  static @Nullable Instant time(String field, @Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return new TimeArgument().convert(text);
    } catch (TypeConversionException e) {
      throw new BadInputException(field + ": " + e.getMessage());
    }
  }

  /** {@code TYPE} or {@code TYPE/ID}. */
  static @Nullable AggregateArgument aggregate(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return new AggregateArgument.Converter().convert(text);
    } catch (TypeConversionException e) {
      throw new BadInputException("Aggregate: " + e.getMessage());
    }
  }

  /** A whole number in a range. */
  static int number(String field, @Nullable String text, int defaultValue, int least, int most) {
    if (text == null) {
      return defaultValue;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException reportedBelow) {
      // as one out of range is
    }
    throw new BadInputException(
        field + " \"" + text + "\" is no whole number from " + least + " to " + most);
  }

  /** A number of any size that is none below zero. */
  static @Nullable Long count(String field, @Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException reportedBelow) {
      // as a negative one is
    }
    throw new BadInputException(field + " \"" + text + "\" is no whole number");
  }
}
