package dev.onceward.relay.capture;

import org.jspecify.annotations.Nullable;

/** The stream ended with a failure. A new source may be built at once; the slot has not moved. */
public final class CaptureException extends Exception {
  private static final long serialVersionUID = 1L;

  public CaptureException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
