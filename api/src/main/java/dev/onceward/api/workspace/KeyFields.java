package dev.onceward.api.workspace;

import dev.onceward.api.json.Fields;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.json.JsonValue.JsonNumber;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the calls on access keys read from bodies; null for a member that is absent. */
final class KeyFields {
  private static final Duration MAX_OVERLAP = Duration.ofDays(30);
  private static final int ID_CHARACTERS = 36;
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern SECONDS = Pattern.compile("0|[1-9][0-9]{0,8}");

  private KeyFields() {}

  static @Nullable UUID userId(Fields body) {
    return body.optional("user_id") == null
        ? null
        : UUID.fromString(
            body.text("user_id", ID_CHARACTERS, ID, "must be the id of one of your users"));
  }

  static @Nullable Duration overlap(Fields body) {
    JsonValue value = body.optional("overlap_seconds");
    if (value == null) {
      return null;
    }
    if (value instanceof JsonNumber number && SECONDS.matcher(number.text()).matches()) {
      Duration overlap = Duration.ofSeconds(Long.parseLong(number.text()));
      if (overlap.compareTo(MAX_OVERLAP) <= 0) {
        return overlap;
      }
    }
    throw body.invalid(
        "overlap_seconds", "must be a whole number from 0 to " + MAX_OVERLAP.toSeconds());
  }
}
