package dev.onceward.worker.platform;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Texts of a platform's answer, made fit to be stored. Stateless. */
final class PlatformText {

  private PlatformText() {}

  /**
   * The text of a member, null if it is none. What PostgreSQL cannot hold is left out, what is too
   * long is cut.
   */
  static @Nullable String of(JsonNode answer, String member, int maxCharacters) {
    JsonNode value = answer.path(member);
    return value.isTextual() ? storable(value.asText(), maxCharacters) : null;
  }

  /** The same of an identifier, which is never changed: null if it is not fit as it is. */
  static @Nullable String identifier(JsonNode answer, String member, int maxCharacters) {
    String text = of(answer, member, maxCharacters);
    return text != null && !text.isEmpty() && text.equals(answer.path(member).asText())
        ? text
        : null;
  }

  private static String storable(String text, int maxCharacters) {
    return text.codePoints()
        .filter(point -> point != 0 && !(point >= 0xD800 && point <= 0xDFFF))
        .limit(maxCharacters)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
