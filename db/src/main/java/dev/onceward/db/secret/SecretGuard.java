package dev.onceward.db.secret;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds secrets in texts, by member names and by the shape of values. The Java twin of the SQL
 * functions {@code onceward.json_has_secret} and {@code onceward.text_has_secret}, which hold
 * writers in every language to the same rule; this one answers earlier and with better words. The
 * patterns are the same to the letter.
 */
public final class SecretGuard {

  static final String NAMES =
      "(?:password|passwd|passphrase|secret|(?:api|access|private|secret|storage|session|signing)[-_ .]?key|token|cookies?|authorization|credentials?)\"[ \\t\\n\\r]*:[ \\t\\n\\r]*(?:[[][ \\t\\n\\r]*)?\"[^\"]";

  static final String SHAPES_OF_ANY_CASE =
      "[?&](?:x-amz-signature|x-amz-security-token|x-goog-signature|x-oss-signature|q-signature|signature|sig|access_token|refresh_token|token|api[-_]?key|password|secret)=[^&\" ]|://[^/ \":@]+:[^/ \"@]+@|-----begin [a-z ]*private key";

  static final String SHAPES =
      "(?:^|[^0-9A-Za-z+/_-])(?:A[KS]IA[0-9A-Z]{16}|LTAI[0-9A-Za-z]{12,24}|gh[oprsu]_[0-9A-Za-z]{36}|sk-[0-9A-Za-z_-]{20,}|xox[abprs]-[0-9A-Za-z-]{10,}|whsec_[0-9A-Za-z+/=]{24,}|ow_[0-9a-z]{8,}_[0-9A-Za-z_-]{32,}|eyJ[0-9A-Za-z_-]{10,}[.]eyJ[0-9A-Za-z_-]{10,}|[Bb]earer (?=[A-Za-z._~+/-]*[0-9])[0-9A-Za-z._~+/-]{16,})";

  // In Java an opening bracket inside a class must be escaped; PostgreSQL reads [[] as we mean it.
  private static final Pattern NAME_PATTERN =
      Pattern.compile(NAMES.replace("[[]", "\\["), Pattern.CASE_INSENSITIVE);
  private static final Pattern SHAPE_OF_ANY_CASE_PATTERN =
      Pattern.compile(SHAPES_OF_ANY_CASE, Pattern.CASE_INSENSITIVE);
  private static final Pattern SHAPE_PATTERN = Pattern.compile(SHAPES);
  private static final Pattern ASCII_ESCAPE = Pattern.compile("\\\\u00([2-7][0-9A-Fa-f])");

  private SecretGuard() {}

  /** Whether a plain text, for example an error summary, shows a secret by its shape. */
  public static boolean isSecretInText(String text) {
    return SHAPE_OF_ANY_CASE_PATTERN.matcher(text).find() || SHAPE_PATTERN.matcher(text).find();
  }

  /** Whether a JSON text holds a secret, by a member's name or by the shape of a value. */
  public static boolean isSecretInJson(String json) {
    String content = json;
    if (content.indexOf('\\') >= 0) {
      content = ASCII_ESCAPE.matcher(content.replace("\\/", "/")).replaceAll(SecretGuard::unescape);
    }
    return NAME_PATTERN.matcher(content).find() || isSecretInText(content);
  }

  /**
   * Refuses a JSON text that holds a secret.
   *
   * @param where names the text in the message, for example {@code the payload of event x}
   * @throws SecretFoundException if it does
   */
  public static void requireNoneInJson(String where, String json) {
    if (isSecretInJson(json)) {
      throw new SecretFoundException(where);
    }
  }

  private static String unescape(MatchResult escape) {
    char character = (char) Integer.parseInt(escape.group(1), 16);
    // A quote or backslash of the text must not become JSON's own.
    boolean structural = character == '"' || character == '\\';
    return Matcher.quoteReplacement(structural ? escape.group() : String.valueOf(character));
  }
}
