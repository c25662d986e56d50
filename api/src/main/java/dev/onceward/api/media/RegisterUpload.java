package dev.onceward.api.media;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.Fields;
import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaStore;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/media}: a place for one upload. It starts no task: bytes are to come first.
 *
 * @param maxBytes the largest file taken
 */
record RegisterUpload(long maxBytes) implements Scenario {

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    @Nullable String fileName = MediaFields.fileName(body);
    String declaredType = MediaFields.declaredType(body);
    long declaredSize = MediaFields.declaredSizeBytes(body, maxBytes);
    Media media = MediaStore.insert(connection, fileName, declaredType, declaredSize);
    return Answer.json(201, MediaJson.of(media)).withHeader("Location", "/v1/media/" + media.id());
  }
}
