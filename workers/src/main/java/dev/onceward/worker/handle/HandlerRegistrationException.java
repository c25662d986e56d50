package dev.onceward.worker.handle;

/** The registered handlers contradict each other or themselves: the worker must not start. */
public final class HandlerRegistrationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  HandlerRegistrationException(String message) {
    super(message);
  }
}
