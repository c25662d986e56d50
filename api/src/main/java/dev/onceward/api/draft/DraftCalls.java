package dev.onceward.api.draft;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.SecretRefusal;
import dev.onceward.db.Database;
import dev.onceward.db.SqlStates;
import dev.onceward.db.draft.Draft;
import dev.onceward.db.draft.DraftContent;
import dev.onceward.db.draft.DraftStore;
import dev.onceward.db.media.MediaStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;

/** All calls under {@code /v1/drafts} but the publication's. Thread-safe. */
public final class DraftCalls {
  private final Database database;

  /** The calls over this database. */
  public DraftCalls(Database database) {
    this.database = database;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/drafts", this::list),
        Route.get("/v1/drafts/{id}", this::get),
        Route.write("POST", "/v1/drafts", this::create),
        Route.write("PUT", "/v1/drafts/{id}", this::replace));
  }

  private Answer create(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    DraftContent content = DraftFields.content(request);
    Draft draft =
        write(
            request,
            connection -> {
              requireMedia(connection, content);
              return DraftStore.insert(connection, content);
            });
    return answer(201, draft).withHeader("Location", "/v1/drafts/" + draft.id());
  }

  private Answer replace(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    OptionalInt expected = Revision.expected(request);
    DraftContent content = DraftFields.content(request);
    UUID id = request.id("draft");
    return answer(200, write(request, connection -> replace(connection, id, expected, content)));
  }

  private static Draft replace(
      Connection connection, UUID id, OptionalInt expected, DraftContent content)
      throws SQLException {
    requireMedia(connection, content);
    Optional<Draft> replaced =
        expected.isPresent()
            ? DraftStore.replace(connection, id, expected.getAsInt(), content)
            : Optional.empty();
    if (replaced.isPresent()) {
      return replaced.get();
    }
    throw DraftStore.find(connection, id)
        .map(
            now ->
                Problem.of(
                    ProblemCode.REVISION_STALE,
                    "If-Match",
                    "The draft is at revision "
                        + now.revision()
                        + " now; read it, apply your change to that, and send its ETag."))
        .orElseGet(() -> Request.notFound("draft"))
        .exception();
  }

  private static void requireMedia(Connection connection, DraftContent content)
      throws SQLException {
    if (content.mediaIds().isEmpty()) {
      return;
    }
    Set<UUID> existing = MediaStore.existing(connection, content.mediaIds());
    for (int i = 0; i < content.mediaIds().size(); i++) {
      if (!existing.contains(content.mediaIds().get(i))) {
        throw Problem.of(
                ProblemCode.FIELD_INVALID,
                "/media_ids/" + i,
                "Your workspace has no media with this id.")
            .exception();
      }
    }
  }

  private Draft write(Request request, Database.Work<Draft> work) throws SQLException {
    try {
      return database.inWorkspace(request.caller().workspaceId(), work);
    } catch (SQLException e) {
      if (SecretRefusal.isCauseOf(e)) {
        throw SecretRefusal.problem().exception();
      }
      if (DraftStore.UNKNOWN_STORE.equals(SqlStates.constraint(e))) {
        throw Problem.of(
                ProblemCode.FIELD_INVALID, "/store_id", "Your workspace has no store with this id.")
            .exception();
      }
      throw e;
    }
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("draft");
    return answer(
        200,
        database
            .inWorkspace(
                request.caller().workspaceId(), connection -> DraftStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("draft").exception()));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID storeId = parameters.optionalId("store_id");
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<Draft> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> DraftStore.list(connection, storeId, after, limit + 1));
    return Page.answer(found, limit, Draft::id, DraftJson::of);
  }

  private static Answer answer(int status, Draft draft) {
    return Answer.json(status, DraftJson.of(draft))
        .withHeader("ETag", Revision.tag(draft.revision()));
  }
}
