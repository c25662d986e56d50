package dev.onceward.local.demo;

/** The pipeline did not do what it promises; the message says what. */
public final class DemoFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  DemoFailedException(String reason) {
    super(reason);
  }
}
