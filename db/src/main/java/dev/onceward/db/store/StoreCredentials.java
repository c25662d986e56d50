package dev.onceward.db.store;

import java.util.UUID;

/**
 * What a platform needs to be asked about a shop. {@link #toString} hides the credentials.
 *
 * @param credentials a JSON object, decrypted
 */
public record StoreCredentials(
    UUID storeId, String platform, String externalId, int version, String credentials) {

  @Override
  public String toString() {
    return "StoreCredentials[storeId=%s, platform=%s, externalId=%s, version=%d]"
        .formatted(storeId, platform, externalId, version);
  }
}
