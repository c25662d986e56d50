package dev.onceward.process;

import org.jspecify.annotations.Nullable;

/**
 * A known failure of a process, told to the operator as one line and without a stack trace.
 *
 * <p>Thrown where the failure is understood, or returned by the process's {@link
 * FailureClassifier}.
 */
public final class StartupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;
  private final String remedy;

  /**
   * @param exitCode how the process ends
   * @param message what happened, naming the value (never a secret); no full stop at its end
   * @param remedy what to do about it; no full stop at its end
   * @param cause what it was recognised by; null when there is nothing below
   */
  public StartupException(
      ExitCode exitCode, String message, String remedy, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
    this.remedy = remedy;
  }

  /** A needed service is missing or not prepared. */
  public static StartupException unavailable(
      String message, String remedy, @Nullable Throwable cause) {
    return new StartupException(ExitCode.UNAVAILABLE, message, remedy, cause);
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  public String remedy() {
    return remedy;
  }
}
