package dev.onceward.api.media;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.Fields;
import dev.onceward.api.operation.OperationJson;
import dev.onceward.api.operation.TaskStart;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaStore;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.outbox.NewEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** {@code POST /v1/media/{id}/complete}: no more bytes come; have them inspected, once. */
record CompleteUpload() implements Scenario {
  private static final String EVENT_TYPE = "media.upload_completed";
  private static final String KIND = "process_media";

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    UUID id = request.id("media");
    Optional<Media> completed = MediaStore.complete(connection, id);
    if (completed.isEmpty()) {
      throw refusal(connection, id);
    }
    String payload =
        JsonNodeFactory.instance.objectNode().put("media_id", id.toString()).toString();
    Operation operation =
        TaskStart.write(
            connection, request, KIND, NewEvent.of(EVENT_TYPE, "media", id.toString(), payload));
    return OperationJson.accepted(operation, "media", MediaJson.of(completed.get()));
  }

  private static ProblemException refusal(Connection connection, UUID id) throws SQLException {
    Media media =
        MediaStore.find(connection, id).orElseThrow(() -> Request.notFound("media").exception());
    return media.status().takesContent()
        ? Problem.of(
                ProblemCode.MEDIA_CONTENT_MISSING,
                "Send the bytes first, with PUT to the media's content.")
            .exception()
        : Problem.of(
                ProblemCode.MEDIA_ALREADY_COMPLETED,
                "This upload was completed before; a repetition needs the key of that request.")
            .exception();
  }
}
