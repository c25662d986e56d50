package dev.onceward.api.media;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.StreamedBody;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.Database;
import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaContentStore;
import dev.onceward.db.media.MediaStatus;
import dev.onceward.db.media.MediaStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/media/{id}/content}: the bytes of a media that passed the inspection. Thread-safe.
 */
record SendContent(Database database) {

  Answer answer(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID workspaceId = request.caller().workspaceId();
    UUID id = request.id("media");
    Media media =
        database
            .inWorkspace(workspaceId, connection -> MediaStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("media").exception());
    Long size = media.sizeBytes();
    String sha256 = media.sha256();
    if (media.status() != MediaStatus.READY || size == null || sha256 == null) {
      throw Problem.of(
              ProblemCode.MEDIA_NOT_READY,
              "Only the content of a media that is ready can be read; this one is "
                  + media.status().label()
                  + ".")
          .exception();
    }
    StreamedBody body = new StreamedBody(size, target -> write(workspaceId, id, size, target));
    // Never interpreted, wherever it is opened: not by its type, not by its looks, not as a page.
    return Answer.file(type(media), body)
        .withHeader("Content-Disposition", disposition(media.fileName()))
        .withHeader("X-Content-Type-Options", "nosniff")
        .withHeader("Content-Security-Policy", "default-src 'none'; sandbox")
        .withHeader("Content-Digest", digest(sha256));
  }

  private void write(UUID workspaceId, UUID id, long size, OutputStream target)
      throws IOException, SQLException {
    long written = 0;
    for (int number = 0; written < size; number++) {
      int next = number;
      byte[] chunk =
          database
              .inWorkspace(workspaceId, connection -> MediaContentStore.read(connection, id, next))
              .orElseThrow(
                  () -> new EOFException("chunk " + next + " of media " + id + " is missing"));
      target.write(chunk);
      written += chunk.length;
    }
  }

  /** The declared type, which the inspection found to fit, else the detected one. */
  private static String type(Media media) {
    String declared = media.declaredType();
    String detected = media.detectedType();
    return declared != null ? declared : detected != null ? detected : "application/octet-stream";
  }

  /** RFC 6266 with RFC 8187; percent-encoded, so that no name can end the header. */
  private static String disposition(@Nullable String fileName) {
    return fileName == null
        ? "attachment"
        : "attachment; filename*=UTF-8''"
            + URLEncoder.encode(fileName, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
  }

  /** RFC 9530. */
  private static String digest(String sha256) {
    return "sha-256=:" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(sha256)) + ":";
  }
}
