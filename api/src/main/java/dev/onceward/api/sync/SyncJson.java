package dev.onceward.api.sync;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.db.sync.Product;
import dev.onceward.db.sync.ProductSync;

/** The JSON of syncs and products; absent members have no value. */
final class SyncJson {
  private SyncJson() {}

  static ObjectNode of(ProductSync sync) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", sync.id().toString());
    json.put("store_id", sync.storeId().toString());
    json.put("operation_id", sync.operationId().toString());
    json.put("state", sync.state().label());
    if (sync.productCount() != null) {
      json.put("product_count", sync.productCount());
    }
    if (sync.completedAt() != null) {
      json.put("completed_at", sync.completedAt().toString());
    }
    json.put("created_at", sync.createdAt().toString());
    return json;
  }

  static ObjectNode of(Product product) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", product.id().toString());
    json.put("store_id", product.storeId().toString());
    json.put("external_id", product.externalId());
    json.put("title", product.title());
    if (product.price() != null) {
      json.put("price", product.price());
    }
    json.put("first_read_at", product.firstReadAt().toString());
    json.put("last_read_at", product.lastReadAt().toString());
    return json;
  }
}
