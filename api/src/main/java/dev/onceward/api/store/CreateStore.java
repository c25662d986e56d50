package dev.onceward.api.store;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.Fields;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.store.StoreAuthorization;
import dev.onceward.db.store.StoreAuthorizationStore;
import java.sql.Connection;
import java.sql.SQLException;

/** {@code POST /v1/stores}: one per workspace, platform and external id. */
record CreateStore(StoreAuthorizationStore stores) implements Scenario {

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    String platform = StoreFields.platform(body);
    String externalId = StoreFields.externalId(body);
    String name = StoreFields.name(body);
    String credentials = StoreFields.credentials(body);
    StoreAuthorization store =
        stores
            .insert(connection, platform, externalId, name, credentials)
            .orElseThrow(
                () ->
                    Problem.of(
                            ProblemCode.STORE_EXISTS,
                            "/external_id",
                            "The workspace has a store with this platform and external_id; replace"
                                + " its credentials instead.")
                        .exception());
    return StoreTasks.verify(connection, request, store, StoreTasks.SUBMITTED);
  }
}
