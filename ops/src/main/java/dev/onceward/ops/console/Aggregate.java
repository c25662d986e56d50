package dev.onceward.ops.console;

import org.jspecify.annotations.Nullable;

/** {@code TYPE} or {@code TYPE/ID}, as somebody typed it. Ids may have slashes, types have none. */
record Aggregate(@Nullable String type, @Nullable String id) {

  static Aggregate of(@Nullable String text) {
    if (text == null) {
      return new Aggregate(null, null);
    }
    String[] parts = text.split("/", 2);
    if (parts[0].isEmpty() || (parts.length == 2 && parts[1].isEmpty())) {
      throw new BadInputException("Aggregate is TYPE or TYPE/ID, such as store or store/42");
    }
    return new Aggregate(parts[0], parts.length == 2 ? parts[1] : null);
  }
}
