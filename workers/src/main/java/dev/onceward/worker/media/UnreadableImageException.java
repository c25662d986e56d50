package dev.onceward.worker.media;

import java.io.IOException;

/** A content begins like an image and has no header that can be read. */
final class UnreadableImageException extends IOException {

  private static final long serialVersionUID = 1L;

  UnreadableImageException(Throwable cause) {
    super("no readable image header", cause);
  }
}
