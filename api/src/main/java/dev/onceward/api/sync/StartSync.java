package dev.onceward.api.sync;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.Fields;
import dev.onceward.api.operation.OperationJson;
import dev.onceward.api.operation.TaskStart;
import dev.onceward.db.UuidV7;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.store.StoreAuthorization;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.db.sync.ProductSyncStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** {@code POST /v1/stores/{id}/product-syncs}: one active per store. */
record StartSync(StoreAuthorizationStore stores) implements Scenario {
  private static final String EVENT_TYPE = "product.sync_requested";
  // Not the store's: a long sync shall not hold up the check of new credentials.
  private static final String AGGREGATE_TYPE = "product";

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    StoreAuthorization store =
        stores
            .find(connection, request.id("store"))
            .orElseThrow(() -> Request.notFound("store").exception());
    UUID syncId = UuidV7.next();
    String payload =
        JsonNodeFactory.instance
            .objectNode()
            .put("product_sync_id", syncId.toString())
            .put("store_id", store.id().toString())
            .toString();
    Operation operation =
        TaskStart.write(
            connection,
            request,
            ProductSyncStore.OPERATION_KIND,
            NewEvent.of(EVENT_TYPE, AGGREGATE_TYPE, store.id().toString(), payload)
                .withResource(ProductSyncStore.SUBJECT_TYPE, store.id().toString())
                .withBusinessKey(store.externalId()));
    ProductSyncStore.insert(connection, syncId, operation.id(), store.id());
    return OperationJson.accepted(
        operation,
        "product_sync",
        SyncJson.of(
            ProductSyncStore.find(connection, syncId)
                .orElseThrow(() -> new IllegalStateException("it was just written"))));
  }
}
