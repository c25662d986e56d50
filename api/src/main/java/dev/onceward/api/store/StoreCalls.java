package dev.onceward.api.store;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.IdempotentWrites;
import dev.onceward.db.Database;
import dev.onceward.db.store.StoreAuthorization;
import dev.onceward.db.store.StoreAuthorizationStore;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** All calls under {@code /v1/stores}. Thread-safe. */
public final class StoreCalls {
  private final Database database;
  private final StoreAuthorizationStore stores;
  private final IdempotentWrites writes;

  /** The calls over this database. */
  public StoreCalls(Database database, StoreAuthorizationStore stores, IdempotentWrites writes) {
    this.database = database;
    this.stores = stores;
    this.writes = writes;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/stores", this::list),
        Route.get("/v1/stores/{id}", this::get),
        Route.write("POST", "/v1/stores", writes.handler(new CreateStore(stores))),
        Route.write(
            "PUT", "/v1/stores/{id}/credentials", writes.handler(new ReplaceCredentials(stores))),
        Route.write(
            "POST",
            "/v1/stores/{id}/credential-verifications",
            writes.handler(new VerifyCredentials(stores))));
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("store");
    StoreAuthorization store =
        database
            .inWorkspace(request.caller().workspaceId(), connection -> stores.find(connection, id))
            .orElseThrow(() -> Request.notFound("store").exception());
    return Answer.json(200, StoreJson.of(store));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<StoreAuthorization> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> stores.list(connection, after, limit + 1));
    return Page.answer(found, limit, StoreAuthorization::id, StoreJson::of);
  }
}
