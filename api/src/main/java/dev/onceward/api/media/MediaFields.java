package dev.onceward.api.media;

import dev.onceward.api.json.Fields;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the calls of this package read from bodies. */
final class MediaFields {
  private static final int MAX_NAME_CHARACTERS = 255;
  private static final int MAX_TYPE_CHARACTERS = 255;
  private static final Pattern NAME = Pattern.compile("[^/\\\\]+");
  // RFC 6838 §4.2
  private static final String RESTRICTED_NAME = "[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}";
  private static final Pattern TYPE = Pattern.compile(RESTRICTED_NAME + "/" + RESTRICTED_NAME);

  private MediaFields() {}

  static @Nullable String fileName(Fields body) {
    return body.has("file_name")
        ? body.text("file_name", MAX_NAME_CHARACTERS, NAME, "must not hold a slash or backslash")
        : null;
  }

  static String declaredType(Fields body) {
    return body.text(
            "declared_type",
            MAX_TYPE_CHARACTERS,
            TYPE,
            "must be a media type such as image/png, without parameters")
        .toLowerCase(Locale.ROOT);
  }

  static long declaredSizeBytes(Fields body, long most) {
    return body.wholeNumber("declared_size_bytes", 1, most);
  }
}
