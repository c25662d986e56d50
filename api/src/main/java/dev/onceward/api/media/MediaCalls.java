package dev.onceward.api.media;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.IdempotentWrites;
import dev.onceward.db.Database;
import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaStore;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** All calls under {@code /v1/media}. Thread-safe. */
public final class MediaCalls {
  private final Database database;
  private final IdempotentWrites writes;
  private final long maxBytes;

  /**
   * @param maxBytes the largest file taken
   */
  public MediaCalls(Database database, IdempotentWrites writes, long maxBytes) {
    this.database = database;
    this.writes = writes;
    this.maxBytes = maxBytes;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/media", this::list),
        Route.get("/v1/media/{id}", this::get),
        Route.write("POST", "/v1/media", writes.handler(new RegisterUpload(maxBytes))),
        Route.upload(
            "PUT", "/v1/media/{id}/content", new ReceiveContent(database, maxBytes)::answer),
        Route.download("/v1/media/{id}/content", new SendContent(database)::answer),
        Route.write("POST", "/v1/media/{id}/complete", writes.handler(new CompleteUpload())));
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("media");
    Media media =
        database
            .inWorkspace(
                request.caller().workspaceId(), connection -> MediaStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("media").exception());
    return Answer.json(200, MediaJson.of(media));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<Media> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> MediaStore.list(connection, after, limit + 1));
    return Page.answer(found, limit, Media::id, MediaJson::of);
  }
}
