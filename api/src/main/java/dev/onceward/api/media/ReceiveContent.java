package dev.onceward.api.media;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.Database;
import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaContentStore;
import dev.onceward.db.media.MediaStore;
import dev.onceward.db.media.SpooledContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * {@code PUT /v1/media/{id}/content}: the bytes, as often as the client likes. Thread-safe.
 *
 * @param maxBytes the largest file taken
 */
record ReceiveContent(Database database, long maxBytes) {

  Answer answer(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID workspaceId = request.caller().workspaceId();
    UUID id = request.id("media");
    // Before the body is read: nobody sends megabytes to learn that there is no such media.
    database.inWorkspace(workspaceId, connection -> known(connection, id));
    try (SpooledContent content = SpooledContent.from(maxBytes, request.content().open(maxBytes))) {
      if (content.sizeBytes() == 0) {
        throw Problem.of(ProblemCode.BODY_REQUIRED, "Send the bytes of the file as the body.")
            .exception();
      }
      Media media = database.inWorkspace(workspaceId, connection -> store(connection, id, content));
      return Answer.json(200, MediaJson.of(media));
    } catch (IOException e) {
      // Of our own disk: what the client does wrong is a problem already.
      throw new UncheckedIOException(e);
    }
  }

  private static Media known(Connection connection, UUID id) throws SQLException {
    return MediaStore.find(connection, id).orElseThrow(() -> Request.notFound("media").exception());
  }

  private static Media store(Connection connection, UUID id, SpooledContent content)
      throws SQLException {
    Media media =
        MediaStore.findLocked(connection, id)
            .orElseThrow(() -> Request.notFound("media").exception());
    if (HexFormat.of().formatHex(content.sha256()).equals(media.sha256())) {
      return media;
    }
    if (!media.status().takesContent()) {
      throw Problem.of(
              ProblemCode.MEDIA_ALREADY_COMPLETED,
              "The upload is completed and has other bytes; register another one for these.")
          .exception();
    }
    try {
      MediaContentStore.replace(connection, id, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return MediaStore.receive(connection, id, content)
        .orElseThrow(() -> new IllegalStateException("the row is locked and takes content"));
  }
}
