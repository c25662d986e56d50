package dev.onceward.api.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.db.store.StoreAuthorization;

/** The JSON of a store, without its credentials. */
final class StoreJson {
  private StoreJson() {}

  static ObjectNode of(StoreAuthorization store) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", store.id().toString());
    json.put("platform", store.platform());
    json.put("external_id", store.externalId());
    json.put("name", store.name());
    json.put("credential_version", store.credentialVersion());
    json.put("verification", store.verification());
    if (store.verifiedAt() != null) {
      json.put("verified_at", store.verifiedAt().toString());
    }
    if (store.accountName() != null) {
      json.put("account_name", store.accountName());
    }
    json.put("created_at", store.createdAt().toString());
    json.put("updated_at", store.updatedAt().toString());
    return json;
  }
}
