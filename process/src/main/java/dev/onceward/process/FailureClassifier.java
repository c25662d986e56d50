package dev.onceward.process;

import org.jspecify.annotations.Nullable;

/**
 * A process's knowledge of how it can fail: by class or SQLSTATE, never by text. It sees each
 * failure of the process's body once, and may look through its causes.
 */
@FunctionalInterface
public interface FailureClassifier {
  /**
   * @return the failure with exit code and remedy; null when it is not a known one, which is then
   *     reported with its stack trace
   */
  @Nullable StartupException classify(Throwable failure);
}
