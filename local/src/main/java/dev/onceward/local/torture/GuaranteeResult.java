package dev.onceward.local.torture;

import java.util.List;

/**
 * One guarantee after a run. Immutable.
 *
 * @param guarantee its name
 * @param held whether nothing contradicts it
 * @param violations how often it was broken
 * @param measured what was looked at, in words
 * @param examples the first violations
 */
public record GuaranteeResult(
    String guarantee, boolean held, long violations, String measured, List<String> examples) {

  /** Copies what can change. */
  public GuaranteeResult {
    examples = List.copyOf(examples);
  }

  static GuaranteeResult of(String guarantee, Finding violations, String measured) {
    return new GuaranteeResult(
        guarantee, violations.count() == 0, violations.count(), measured, violations.examples());
  }
}
