package dev.onceward.embedded.junit;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test needs and a machine may lack: a browser, an interpreter, modules from npm. On a
 * developer's machine the test is skipped without it; in the build it fails, or nobody would see
 * that it no longer runs.
 */
public final class Needed {
  /** The environment variable that is set in the build, to anything. */
  public static final String BUILD = "ONCEWARD_CI";

  private Needed() {}

  /**
   * Skips the test, or fails it in the build, unless that is there.
   *
   * @param what what it is and how one gets it
   */
  public static void require(boolean present, String what) {
    require(present, what, System.getenv(BUILD) != null);
  }

  static void require(boolean present, String what, boolean inBuild) {
    if (!present && inBuild) {
      Assertions.fail("The build must not go without: " + what);
    }
    Assumptions.assumeTrue(present, what);
  }
}
