package dev.onceward.api.store;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.Fields;
import dev.onceward.db.store.StoreAuthorization;
import dev.onceward.db.store.StoreAuthorizationStore;
import java.sql.Connection;
import java.sql.SQLException;

/** {@code PUT /v1/stores/{id}/credentials}: the next version, to be verified anew. */
record ReplaceCredentials(StoreAuthorizationStore stores) implements Scenario {

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    String credentials = StoreFields.credentials(body);
    StoreAuthorization store =
        stores
            .replaceCredentials(connection, request.id("store"), credentials)
            .orElseThrow(() -> Request.notFound("store").exception());
    return StoreTasks.verify(connection, request, store, StoreTasks.SUBMITTED);
  }
}
