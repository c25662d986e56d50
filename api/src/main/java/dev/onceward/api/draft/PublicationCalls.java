package dev.onceward.api.draft;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.IdempotentWrites;
import dev.onceward.db.Database;
import dev.onceward.db.draft.Publication;
import dev.onceward.db.draft.PublicationStore;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Publications: ask for one, read them. Thread-safe. */
public final class PublicationCalls {
  private final Database database;
  private final IdempotentWrites writes;

  /** The calls over this database. */
  public PublicationCalls(Database database, IdempotentWrites writes) {
    this.database = database;
    this.writes = writes;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.write("POST", "/v1/drafts/{id}/publications", writes.handler(new PublishDraft())),
        Route.get("/v1/publications", this::list),
        Route.get("/v1/publications/{id}", this::get));
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("publication");
    Publication publication =
        database
            .inWorkspace(
                request.caller().workspaceId(), connection -> PublicationStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("publication").exception());
    return Answer.json(200, DraftJson.of(publication));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID draftId = parameters.optionalId("draft_id");
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<Publication> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> PublicationStore.list(connection, draftId, after, limit + 1));
    return Page.answer(found, limit, Publication::id, DraftJson::of);
  }
}
