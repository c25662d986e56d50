package dev.onceward.api.http;

import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query string: take each one, then call {@link #refuseOthers()}. Confined to
 * one thread.
 */
public final class QueryParameters {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private final Map<String, String> values;
  private final Set<String> taken = new LinkedHashSet<>();

  private QueryParameters(Map<String, String> values) {
    this.values = values;
  }

  /**
   * @throws ProblemException {@code PARAMETER_INVALID} when a parameter is sent twice or is no
   *     UTF-8
   */
  static QueryParameters of(@Nullable String query) {
    Map<String, String> values = new LinkedHashMap<>();
    if (query != null) {
      for (String part : query.split("&")) {
        if (part.isEmpty()) {
          continue;
        }
        int equals = part.indexOf('=');
        String name = decode(equals < 0 ? part : part.substring(0, equals));
        String value = decode(equals < 0 ? "" : part.substring(equals + 1));
        if (values.put(name, value) != null) {
          throw invalid(name, "Send this parameter once.");
        }
      }
    }
    return new QueryParameters(values);
  }

  private static String decode(String encoded) {
    String text = Percent.decode(encoded, true);
    if (text == null || text.chars().anyMatch(Character::isISOControl)) {
      throw Problem.of(
              ProblemCode.PARAMETER_INVALID,
              "The query string must be UTF-8 without control characters, percent-encoded.")
          .exception();
    }
    return text;
  }

  /** The value of a parameter, null when it was not sent. */
  public @Nullable String optional(String name) {
    taken.add(name);
    return values.get(name);
  }

  /**
   * An id, as a cursor or a filter.
   *
   * @throws ProblemException {@code PARAMETER_INVALID} when it is no id of ours
   */
  public @Nullable UUID optionalId(String name) {
    String text = optional(name);
    if (text == null) {
      return null;
    }
    if (!ID.matcher(text).matches()) {
      throw invalid(name, "It must be an id as an earlier answer gave it.");
    }
    return UUID.fromString(text);
  }

  /**
   * A whole number.
   *
   * @throws ProblemException {@code PARAMETER_INVALID} when it is out of range or no number
   */
  public int wholeNumber(String name, int least, int most, int defaultValue) {
    String text = optional(name);
    if (text == null) {
      return defaultValue;
    }
    if (text.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw invalid(name, "It must be a whole number from " + least + " to " + most + ".");
  }

  /**
   * Refuses a request with a parameter that was not asked for.
   *
   * @throws ProblemException {@code PARAMETER_INVALID}
   */
  public void refuseOthers() {
    for (String name : values.keySet()) {
      if (!taken.contains(name)) {
        throw invalid(
            name,
            taken.isEmpty()
                ? "This call takes no query parameters."
                : "This call takes " + String.join(", ", taken) + ".");
      }
    }
  }

  /** Refuses a parameter for a rule that only the caller knows. */
  public static ProblemException invalid(String name, String rule) {
    String shown =
        name.codePoints()
            .limit(64)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    return Problem.of(ProblemCode.PARAMETER_INVALID, shown, rule).exception();
  }
}
