package dev.onceward.db.receipt;

import org.jspecify.annotations.Nullable;

/** What makes two requests the same, as a keyed hash. Implementations are immutable. */
public interface Fingerprint {

  /** The id of the key that new fingerprints are made with; {@link #under} knows it. */
  String currentKeyId();

  /**
   * The HMAC-SHA-256 of the request.
   *
   * @param keyId as stored with an earlier fingerprint
   * @return 32 bytes, or null when no key has this id any more
   */
  byte @Nullable [] under(String keyId);
}
