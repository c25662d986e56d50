package dev.onceward.db.receipt;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What came of the wish to claim a key. */
public sealed interface ReceiptClaim {

  /**
   * It is the caller's: do the work, then finish.
   *
   * @param receiptId what the work writes carries it, so that a later claim finds it
   * @param number of this claim; a finish under an older one changes nothing
   * @param reclaimed whether the claim before was given up as dead: first look for what was already
   *     done under the receipt
   */
  record Claimed(UUID receiptId, int number, boolean reclaimed) implements ReceiptClaim {}

  /**
   * It was accepted before.
   *
   * @param runId what it led to, or null
   * @param todoId what it led to, or null
   */
  record Duplicate(UUID receiptId, @Nullable UUID runId, @Nullable UUID todoId)
      implements ReceiptClaim {}

  /** Somebody processes it now, or was quicker to claim it again: come back in a moment. */
  record Busy() implements ReceiptClaim {}

  /** The key was used for something else. */
  record Mismatch() implements ReceiptClaim {}

  /**
   * Nobody can say whether it is the same request.
   *
   * @param keyId of the stored fingerprint; no key has this id
   */
  record KeyMissing(String keyId) implements ReceiptClaim {}
}
