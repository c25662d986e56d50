package dev.onceward.db.receipt;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who wants to have something done under which key. Immutable.
 *
 * @param ownerId the hook or user, see {@link ReceiptTable#ownerColumn}
 * @param key 1 to 200 visible ASCII characters; case counts
 * @param fingerprint of the request; null for a request that is not compared
 * @param claimValues for {@link ReceiptTable#claimColumns}
 */
public record ReceiptRequest(
    UUID ownerId, String key, @Nullable Fingerprint fingerprint, List<String> claimValues) {

  /** Copies the values. */
  public ReceiptRequest {
    claimValues = List.copyOf(claimValues);
  }
}
