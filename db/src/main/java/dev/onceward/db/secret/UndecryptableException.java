package dev.onceward.db.secret;

import org.jspecify.annotations.Nullable;

/** Encrypted credentials cannot be read; a retry does not help. */
public final class UndecryptableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UndecryptableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
