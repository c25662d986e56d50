package dev.onceward.ops;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Aggregates as somebody types them: {@code TYPE} or {@code TYPE/ID}. Ids may have slashes, types
 * have none. Immutable.
 *
 * @param type their type
 * @param id the one that is meant; null for all of the type
 */
public record AggregateArgument(String type, @Nullable String id) {

  /** Understands the text. */
  public static final class Converter implements ITypeConverter<AggregateArgument> {
    @Override
    public AggregateArgument convert(String text) {
      String[] parts = text.split("/", 2);
      if (parts[0].isEmpty() || (parts.length == 2 && parts[1].isEmpty())) {
        throw new TypeConversionException(
            "'" + text + "' is no aggregate; write TYPE or TYPE/ID, such as store or store/42");
      }
      return new AggregateArgument(parts[0], parts.length == 2 ? parts[1] : null);
    }
  }
}
