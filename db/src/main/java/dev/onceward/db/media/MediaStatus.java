package dev.onceward.db.media;

import java.util.Locale;

/** How far a media has come; mirrored by the table's CHECK. */
public enum MediaStatus {
  /** Registered; no bytes came yet. */
  AWAITING_CONTENT,
  /** Bytes are there and may still be replaced. */
  UPLOADED,
  /** The upload is completed: the bytes stay as they are and are to be inspected. */
  PROCESSING,
  /** The inspection found what was declared. */
  READY,
  /** The inspection found something else; the rejection says what. */
  REJECTED;

  /** The text in the column and in JSON. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether bytes may still be received. */
  public boolean takesContent() {
    return this == AWAITING_CONTENT || this == UPLOADED;
  }

  static MediaStatus of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
