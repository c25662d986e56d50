package dev.onceward.ops.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What dead letters of one group have in common: the event type, the code, and the summary without
 * what differs from one to the next. Immutable.
 *
 * @param eventType {@code -} where it is not known
 * @param code why, as a stable code
 * @param summary quoted values, addresses, ids and numbers replaced
 */
record Cause(String eventType, String code, String summary) {

  private static final int ID_BYTES = 4;

  private static final Pattern DOUBLE_QUOTED = Pattern.compile("\"[^\"]*\"|“[^”]*”");
  // An apostrophe inside a word opens and closes nothing.
  private static final Pattern SINGLE_QUOTED =
      Pattern.compile("(?<![\\p{L}\\p{N}])'[^']*'(?!\\p{L})|`[^`]*`");
  private static final Pattern ADDRESS = Pattern.compile("[a-z][a-z0-9+.-]*://\\S+");
  private static final Pattern TIME =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?(Z|[+-]\\d\\d:?\\d\\d)?");
  private static final Pattern UUID_TEXT =
      Pattern.compile("(?i)\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b");
  // Letters and digits mixed, eight or more: a hash, a request's id.
  private static final Pattern MIXED =
      Pattern.compile("\\b(?=[A-Za-z]*\\d)(?=\\d*[A-Za-z])[A-Za-z0-9]{8,}\\b");
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:[.,]\\d+)*");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  static Cause of(@Nullable String eventType, String code, @Nullable String summary) {
    return new Cause(
        eventType == null ? "-" : eventType, code, summary == null ? "" : normalised(summary));
  }

  /** The text without what differs from one failure of a kind to the next. */
  static String normalised(String summary) {
    String text = DOUBLE_QUOTED.matcher(summary).replaceAll("<value>");
    text = SINGLE_QUOTED.matcher(text).replaceAll("<value>");
    text = ADDRESS.matcher(text).replaceAll("<address>");
    text = TIME.matcher(text).replaceAll("<time>");
    text = UUID_TEXT.matcher(text).replaceAll("<id>");
    text = MIXED.matcher(text).replaceAll("<id>");
    text = NUMBER.matcher(text).replaceAll("<n>");
    return SPACE.matcher(text).replaceAll(" ").strip();
  }

  /** The group's id: eight hexadecimal digits that depend on the cause alone. */
  String groupId() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((eventType + '\n' + code + '\n' + summary).getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, ID_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
