package dev.onceward.api.problem;

import org.jspecify.annotations.Nullable;

/**
 * Refuses a request with a {@link Problem}. Thrown inside a transaction it rolls it back: a refused
 * request leaves nothing behind.
 */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  // RuntimeException is Serializable, which nobody uses here.
  private final transient Problem problem;

  /**
   * @param problem what the client is told
   * @param cause what we log, null for a refusal that needs no log line
   */
  public ProblemException(Problem problem, @Nullable Throwable cause) {
    // A refusal is an ordinary answer: it carries no stack trace of its own.
    super(problem.code() + ": " + problem.detail(), cause, false, false);
    this.problem = problem;
  }

  /** What the client is told. */
  public Problem problem() {
    return problem;
  }
}
