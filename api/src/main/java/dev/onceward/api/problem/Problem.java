package dev.onceward.api.problem;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One problem answer. Immutable.
 *
 * @param code what went wrong, stable
 * @param detail a sentence for people: the rule that was broken and the remedy, never a secret or
 *     payload
 * @param field the header, query parameter or member (a JSON Pointer, RFC 6901) at fault; null when
 *     no single one is
 * @param headers additional answer headers such as {@code Retry-After}
 */
public record Problem(
    ProblemCode code, String detail, @Nullable String field, Map<String, String> headers) {

  /** Copies the headers. */
  public Problem {
    headers = Map.copyOf(headers);
  }

  /** A problem without a field. */
  public static Problem of(ProblemCode code, String detail) {
    return new Problem(code, detail, null, Map.of());
  }

  /** A problem with one header, parameter or member. */
  public static Problem of(ProblemCode code, String field, String detail) {
    return new Problem(code, detail, field, Map.of());
  }

  /** The same with one more answer header. */
  public Problem withHeader(String name, String value) {
    Map<String, String> all = new TreeMap<>(headers);
    all.put(name, value);
    return new Problem(code, detail, field, all);
  }

  /** The same with {@code Retry-After}, rounded up to whole seconds, at least one. */
  public Problem retryAfter(Duration pause) {
    long seconds = Math.max(1, (pause.toMillis() + 999) / 1000);
    return withHeader("Retry-After", Long.toString(seconds));
  }

  /** This problem as an exception that refuses the request. */
  public ProblemException exception() {
    return new ProblemException(this, null);
  }
}
