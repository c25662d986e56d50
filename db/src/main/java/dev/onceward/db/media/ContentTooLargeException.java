package dev.onceward.db.media;

import java.io.IOException;

/** Some content has more bytes than its place takes. */
public final class ContentTooLargeException extends IOException {

  private static final long serialVersionUID = 1L;

  private final long maxBytes;

  ContentTooLargeException(long maxBytes) {
    super("more than " + maxBytes + " bytes");
    this.maxBytes = maxBytes;
  }

  /** How many bytes would have been taken. */
  public long maxBytes() {
    return maxBytes;
  }
}
