package dev.onceward.api.idempotent;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.util.List;
import java.util.regex.Pattern;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/**
 * The client's idempotency key: 1 to 200 visible ASCII characters, case-sensitive. Immutable.
 *
 * <p>It comes bare, as most clients send it, or as a string of RFC 8941 (the form of the IETF draft
 * on {@code Idempotency-Key}): {@code abc} and {@code "abc"} are the same key. A bare key holds no
 * quote, backslash, comma or semicolon: a comma is what a proxy makes of a header sent twice.
 *
 * @param text the key without quotes
 */
public record IdempotencyKey(String text) {
  /** The header's name. */
  public static final String HEADER = "Idempotency-Key";

  /** The most characters of a key. */
  static final int MAX_CHARACTERS = 200;

  private static final Pattern VISIBLE = Pattern.compile("[!-~]{1," + MAX_CHARACTERS + "}");
  private static final Pattern BARE = Pattern.compile("[!-~&&[^\"\\\\,;]]+");

  /**
   * Reads the header.
   *
   * @param values all values of the header
   * @throws ProblemException {@code IDEMPOTENCY_KEY_REQUIRED} or {@code IDEMPOTENCY_KEY_INVALID}
   */
  public static IdempotencyKey of(List<String> values) {
    if (values.isEmpty()) {
      throw Problem.of(
              ProblemCode.IDEMPOTENCY_KEY_REQUIRED,
              HEADER,
              "Send a fresh key, such as a UUID, with each new write and the same one when you"
                  + " repeat it.")
          .exception();
    }
    if (values.size() > 1) {
      throw invalid("Send the header once.");
    }
    String value = values.get(0);
    String text = value.startsWith("\"") ? quoted(value) : value;
    boolean legal = VISIBLE.matcher(text).matches();
    if (!legal || (!value.startsWith("\"") && !BARE.matcher(text).matches())) {
      throw invalid(
          "A key has 1 to "
              + MAX_CHARACTERS
              + " visible ASCII characters; one with a quote, backslash, comma or semicolon must"
              + " come as a quoted string (RFC 8941).");
    }
    return new IdempotencyKey(text);
  }

  private static String quoted(String value) {
    try {
      if (new Parser(value).parseItem() instanceof StringItem string
          && string.getParams().isEmpty()) {
        return string.get();
      }
    } catch (ParseException e) {
      // Its message quotes the value; ours names the rule.
    }
    throw invalid("The value is no string of RFC 8941, which ends with its closing quote.");
  }

  private static ProblemException invalid(String rule) {
    return Problem.of(ProblemCode.IDEMPOTENCY_KEY_INVALID, HEADER, rule).exception();
  }
}
