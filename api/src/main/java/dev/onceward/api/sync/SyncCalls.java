package dev.onceward.api.sync;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.IdempotentWrites;
import dev.onceward.db.Database;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.db.sync.Product;
import dev.onceward.db.sync.ProductStore;
import dev.onceward.db.sync.ProductSync;
import dev.onceward.db.sync.ProductSyncStore;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Product syncs: start one, read them and what they read. Thread-safe. */
public final class SyncCalls {
  private final Database database;
  private final StoreAuthorizationStore stores;
  private final IdempotentWrites writes;

  /** The calls over this database. */
  public SyncCalls(Database database, StoreAuthorizationStore stores, IdempotentWrites writes) {
    this.database = database;
    this.stores = stores;
    this.writes = writes;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.write("POST", "/v1/stores/{id}/product-syncs", writes.handler(new StartSync(stores))),
        Route.get("/v1/stores/{id}/products", this::products),
        Route.get("/v1/product-syncs", this::list),
        Route.get("/v1/product-syncs/{id}", this::get));
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("product sync");
    ProductSync sync =
        database
            .inWorkspace(
                request.caller().workspaceId(), connection -> ProductSyncStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("product sync").exception());
    return Answer.json(200, SyncJson.of(sync));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID storeId = parameters.optionalId("store_id");
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<ProductSync> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> ProductSyncStore.list(connection, storeId, after, limit + 1));
    return Page.answer(found, limit, ProductSync::id, SyncJson::of);
  }

  private Answer products(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    UUID storeId = request.id("store");
    List<Product> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> {
              if (stores.find(connection, storeId).isEmpty()) {
                throw Request.notFound("store").exception();
              }
              return ProductStore.list(connection, storeId, after, limit + 1);
            });
    return Page.answer(found, limit, Product::id, SyncJson::of);
  }
}
