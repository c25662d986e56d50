package dev.onceward.embedded;

/** A server or child process could not be started, stopped or reached; names value and remedy. */
public final class InfrastructureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InfrastructureException(String message) {
    super(message);
  }

  InfrastructureException(String message, Throwable cause) {
    super(message, cause);
  }
}
