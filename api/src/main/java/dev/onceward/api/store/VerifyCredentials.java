package dev.onceward.api.store;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.Fields;
import dev.onceward.db.store.StoreAuthorization;
import dev.onceward.db.store.StoreAuthorizationStore;
import java.sql.Connection;
import java.sql.SQLException;

/** {@code POST /v1/stores/{id}/credential-verifications}: the present credentials once more. */
record VerifyCredentials(StoreAuthorizationStore stores) implements Scenario {

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    StoreAuthorization store =
        stores
            .find(connection, request.id("store"))
            .orElseThrow(() -> Request.notFound("store").exception());
    return StoreTasks.verify(connection, request, store, StoreTasks.REQUESTED);
  }
}
