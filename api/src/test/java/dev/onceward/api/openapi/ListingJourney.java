package dev.onceward.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.TestApi;
import java.sql.SQLException;

/** Calls everything about drafts, publications, product syncs and AI tasks. */
record ListingJourney(DescribedClient client, TestApi api) {

  void drive() throws SQLException {
    ObjectNode store = client.example("createStore");
    store.put("external_id", "shop-43");
    String storeId = client.call("createStore", store).at("/store/id").asText();
    client.call("listStores", "?limit", "1");

    String published = draft(storeId);
    String cancelled = draft(storeId);
    client.call("listDrafts", "?limit", "1", "?store_id", storeId);
    JsonNode publication = client.call("publishDraft", "{id}", published);
    String publicationId = publication.at("/publication/id").asText();
    String operation = publication.at("/operation/id").asText();
    api.setState(operation, "failed");
    client.call("retryOperation", "{id}", operation);
    api.sql(
        "UPDATE onceward.publications SET listing_id = 'l-1', published_at = now() WHERE id = '%s'"
            .formatted(publicationId));
    client.call("getPublication", "{id}", publicationId);
    String other = client.call("publishDraft", "{id}", cancelled).at("/operation/id").asText();
    client.call("cancelOperation", "{id}", other);
    client.call("listPublications", "?limit", "1");

    sync(storeId);
    task();
  }

  private String draft(String storeId) {
    ObjectNode content = client.example("createDraft");
    content.put("store_id", storeId);
    String id = client.call("createDraft", content).get("id").asText();
    client.call("getDraft", "{id}", id);
    client.call("saveDraft", content, "{id}", id, "If-Match", "\"1\"");
    return id;
  }

  private void sync(String storeId) throws SQLException {
    JsonNode first = client.call("startProductSync", "{id}", storeId);
    String id = first.at("/product_sync/id").asText();
    api.setState(first.at("/operation/id").asText(), "succeeded");
    api.sql(
        """
        UPDATE onceward.product_syncs SET product_count = 2, completed_at = now() WHERE id = '%1$s';
        INSERT INTO onceward.products (workspace_id, store_id, external_id, title, price, read_mark)
          SELECT workspace_id, store_id, 'p-' || n, 'A shirt', '1.50', id
          FROM onceward.product_syncs, generate_series(1, 2) AS n WHERE id = '%1$s'
        """
            .formatted(id));
    client.call("getProductSync", "{id}", id);
    client.call("startProductSync", "{id}", storeId);
    client.call("listProductSyncs", "?limit", "1");
    client.call("listProducts", "{id}", storeId, "?limit", "1");
  }

  private void task() throws SQLException {
    String id = client.call("requestAiTask").at("/ai_task/id").asText();
    api.sql(
        "UPDATE onceward.ai_tasks SET output = '{}', completed_at = now() WHERE id = '%s'"
            .formatted(id));
    client.call("getAiTask", "{id}", id);
    client.call("requestAiTask");
    client.call("listAiTasks", "?limit", "1", "?kind", "text");
  }
}
