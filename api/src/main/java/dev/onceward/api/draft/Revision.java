package dev.onceward.api.draft;

import dev.onceward.api.http.Request;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** A draft's revision as an entity tag (RFC 9110, section 8.8.3) and in {@code If-Match}. */
final class Revision {
  private static final String IF_MATCH = "If-Match";
  private static final Pattern STRONG_TAG = Pattern.compile("\"[\\x21\\x23-\\x7E\\x80-\\u00FF]*\"");
  private static final Pattern OURS = Pattern.compile("\"[1-9][0-9]{0,8}\"");

  private Revision() {}

  static String tag(int revision) {
    return "\"" + revision + "\"";
  }

  /**
   * The revision that the client has seen; empty for a tag that we never gave and that so matches
   * nothing.
   *
   * @throws dev.onceward.api.problem.ProblemException {@code IF_MATCH_REQUIRED} or {@code
   *     HEADER_INVALID}
   */
  static OptionalInt expected(Request request) {
    List<String> values = request.header("if-match");
    if (values.isEmpty()) {
      throw Problem.of(
              ProblemCode.IF_MATCH_REQUIRED,
              IF_MATCH,
              "Send If-Match with the ETag of the draft that you have changed.")
          .exception();
    }
    String tag = values.get(0).strip();
    if (values.size() > 1 || !STRONG_TAG.matcher(tag).matches()) {
      throw Problem.of(
              ProblemCode.HEADER_INVALID,
              IF_MATCH,
              "If-Match must be one strong entity tag, such as \"7\": no list, no W/, no *.")
          .exception();
    }
    return OURS.matcher(tag).matches()
        ? OptionalInt.of(Integer.parseInt(tag.substring(1, tag.length() - 1)))
        : OptionalInt.empty();
  }
}
