package dev.onceward.local.matrix;

/**
 * What is tried. Immutable.
 *
 * @param build of our programs, see {@link Build}
 * @param postgres the server's major version
 * @param capture what reads its log: debezium or direct
 */
public record Subject(String build, int postgres, String capture) {

  /** Whether a line of the results is about this. */
  boolean isOf(TrialResult result) {
    return build.equals(result.build())
        && postgres == result.postgres()
        && capture.equals(result.capture());
  }
}
