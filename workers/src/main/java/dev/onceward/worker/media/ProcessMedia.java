package dev.onceward.worker.media;

import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaContentStore;
import dev.onceward.db.media.MediaStatus;
import dev.onceward.db.media.MediaStore;
import dev.onceward.db.media.SpooledContent;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Inspects a completed upload, and writes what it is together with the end of the operation. */
final class ProcessMedia implements EventHandler {

  private static final String AGGREGATE_TYPE = "media";

  private final MediaInspector inspector;

  ProcessMedia(MediaInspector inspector) {
    this.inspector = inspector;
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(new HandledType("media.upload_completed", 1, AGGREGATE_TYPE, "process_media"));
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws Exception {
    UUID mediaId = EventIds.read(attempt.event().envelope().payload(), "media_id");
    Media media =
        attempt
            .inWorkspace(connection -> MediaStore.find(connection, mediaId))
            .orElseThrow(
                () ->
                    new PermanentTaskException(
                        "MEDIA_NOT_FOUND", "The media does not exist any more."));
    if (media.status().takesContent()) {
      throw new PermanentTaskException(
          "MEDIA_NOT_COMPLETED", "The upload of the media is not completed.");
    }
    if (media.status() != MediaStatus.PROCESSING) {
      return HandlerResult.of(MediaResults.of(media)); // inspected before; it cannot have changed
    }
    Inspection inspection;
    try (SpooledContent content = spool(attempt, mediaId)) {
      inspection = inspector.inspect(media, content);
    }
    return connection -> {
      MediaStore.recordInspection(
          connection, mediaId, inspection.findings(), inspection.rejectionCode());
      return MediaResults.of(MediaStore.find(connection, mediaId).orElse(media));
    };
  }

  private static SpooledContent spool(TaskAttempt attempt, UUID mediaId)
      throws SQLException, IOException {
    return SpooledContent.from(
        Long.MAX_VALUE,
        (SpooledContent.Source<SQLException>)
            target -> attempt.inWorkspace(connection -> copy(connection, mediaId, target)));
  }

  private static boolean copy(Connection connection, UUID mediaId, OutputStream target)
      throws SQLException {
    try {
      MediaContentStore.copyTo(connection, mediaId, target);
      return true;
    } catch (IOException diskFull) {
      throw new UncheckedIOException(diskFull);
    }
  }
}
