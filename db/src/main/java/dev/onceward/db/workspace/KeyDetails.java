package dev.onceward.db.workspace;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What people see of an access key; never its hash. Immutable.
 *
 * @param name for people
 * @param state by the database's clock; a disabled user's keys are refused whatever it says
 * @param endsAt when a replaced key stops to work, null for one that was not replaced
 * @param replacedBy the key that took its place, null when none did
 * @param lastUsedAt may lag by about a minute; null when it was never used
 */
public record KeyDetails(
    String keyId,
    UUID userId,
    String name,
    State state,
    Instant createdAt,
    @Nullable Instant endsAt,
    @Nullable String replacedBy,
    @Nullable Instant revokedAt,
    @Nullable Instant lastUsedAt) {

  /** Where a key stands. */
  public enum State {
    /** It works. */
    ACTIVE,
    /** It was replaced and works until it ends. */
    ENDING,
    /** It was replaced and works no more. */
    ENDED,
    /** It was taken back. */
    REVOKED
  }
}
