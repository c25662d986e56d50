package dev.onceward.api.media;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.IdempotentWrites;
import dev.onceward.db.Database;
import dev.onceward.db.media.MaterialTransfer;
import dev.onceward.db.media.MaterialTransferStore;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** All calls under {@code /v1/material-transfers}. Thread-safe. */
public final class MaterialTransferCalls {
  private final Database database;
  private final IdempotentWrites writes;

  /** The calls over this database. */
  public MaterialTransferCalls(Database database, IdempotentWrites writes) {
    this.database = database;
    this.writes = writes;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/material-transfers", this::list),
        Route.get("/v1/material-transfers/{id}", this::get),
        Route.write("POST", "/v1/material-transfers", writes.handler(new RequestTransfer())));
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("material transfer");
    MaterialTransfer transfer =
        database
            .inWorkspace(
                request.caller().workspaceId(),
                connection -> MaterialTransferStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("material transfer").exception());
    return Answer.json(200, MediaJson.of(transfer));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<MaterialTransfer> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> MaterialTransferStore.list(connection, after, limit + 1));
    return Page.answer(found, limit, MaterialTransfer::id, MediaJson::of);
  }
}
