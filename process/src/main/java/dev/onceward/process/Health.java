package dev.onceward.process;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one check found. Immutable.
 *
 * @param status up, down or paused
 * @param reasons why it is not up, for an operator; empty when up; never a secret or a payload
 * @param details what else is known, by name: numbers, booleans or text
 */
public record Health(Status status, List<String> reasons, Map<String, Object> details) {
  /** Ordered from good to bad: the worst of all checks is the status of the process. */
  public enum Status {
    /** Works, or has nothing to do. */
    UP,
    /** Stands still because somebody asked for it. Not a failure: answered with 200. */
    PAUSED,
    /** Makes no progress. Failure: answered with 503 and the reasons. */
    DOWN
  }

  public Health {
    reasons = List.copyOf(reasons);
    details = Map.copyOf(details);
  }

  public static Health up() {
    return new Health(Status.UP, List.of(), Map.of());
  }

  public static Health down(String reason) {
    return new Health(Status.DOWN, List.of(reason), Map.of());
  }

  public static Health paused(String reason) {
    return new Health(Status.PAUSED, List.of(reason), Map.of());
  }

  /** The same with one more detail: a number, a boolean or a text. */
  public Health with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(details);
    more.put(name, value);
    return new Health(status, reasons, more);
  }
}
