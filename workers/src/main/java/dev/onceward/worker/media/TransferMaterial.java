package dev.onceward.worker.media;

import dev.onceward.db.media.MaterialTransfer;
import dev.onceward.db.media.MaterialTransferStore;
import dev.onceward.db.media.Media;
import dev.onceward.db.media.MediaContentStore;
import dev.onceward.db.media.MediaFindings;
import dev.onceward.db.media.MediaStore;
import dev.onceward.db.media.SpooledContent;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Fetches a material, and keeps it as media together with the end of the operation. */
final class TransferMaterial implements EventHandler {

  private static final String AGGREGATE_TYPE = "material_transfer";

  /** For the two reads, before and after the fetch has taken its own time. */
  private static final Duration BESIDE_THE_FETCH = Duration.ofSeconds(15);

  private final MaterialFetcher fetcher;
  private final MediaInspector inspector;
  private final Duration fetchTimeout;

  TransferMaterial(MaterialFetcher fetcher, MediaInspector inspector, Duration fetchTimeout) {
    this.fetcher = fetcher;
    this.inspector = inspector;
    this.fetchTimeout = fetchTimeout;
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(
        new HandledType("material.transfer_requested", 1, AGGREGATE_TYPE, "transfer_material"));
  }

  @Override
  public Duration timeout() {
    return fetchTimeout.plus(BESIDE_THE_FETCH);
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws Exception {
    UUID transferId = EventIds.read(attempt.event().envelope().payload(), "material_transfer_id");
    MaterialTransfer transfer =
        attempt
            .inWorkspace(connection -> MaterialTransferStore.find(connection, transferId))
            .orElseThrow(
                () ->
                    new PermanentTaskException(
                        "TRANSFER_NOT_FOUND", "The transfer does not exist any more."));
    if (transfer.mediaId() != null) {
      return connection -> earlier(connection, transferId).orElse(null);
    }
    SpooledContent content = fetcher.fetch(URI.create(transfer.sourceUrl()), attempt::isOver);
    try {
      Inspection inspection = inspector.inspect(content);
      if (inspection.rejectionCode() != null) {
        throw new PermanentTaskException(
            "MATERIAL_UNREADABLE", "The material begins like an image and is none.");
      }
      return new Fetched(transfer, content, inspection.findings());
    } catch (Throwable failure) {
      content.close();
      throw failure;
    }
  }

  /** The result of a transfer that has one; empty if it has none (any more). */
  private static Optional<String> earlier(Connection connection, UUID transferId)
      throws SQLException {
    UUID mediaId =
        MaterialTransferStore.findLocked(connection, transferId)
            .map(MaterialTransfer::mediaId)
            .orElse(null);
    return mediaId == null
        ? Optional.empty()
        : MediaStore.find(connection, mediaId).map(MediaResults::stored);
  }

  /** A fetched material that is still to be written. */
  private record Fetched(MaterialTransfer transfer, SpooledContent content, MediaFindings findings)
      implements HandlerResult {

    @Override
    public @Nullable String finish(Connection connection) throws SQLException {
      UUID transferId = transfer.id();
      Optional<String> earlier = earlier(connection, transferId);
      if (earlier.isPresent()) {
        return earlier.get(); // another attempt was quicker: these bytes are not needed
      }
      Media media = MediaStore.insertReady(connection, transfer.fileName(), content, findings);
      try {
        MediaContentStore.replace(connection, media.id(), content);
      } catch (IOException lost) {
        throw new UncheckedIOException(lost);
      }
      if (!MaterialTransferStore.recordStored(connection, transferId, media.id())) {
        throw new IllegalStateException("the transfer " + transferId + " does not exist any more");
      }
      return MediaResults.stored(media);
    }

    @Override
    public void released() {
      content.close();
    }
  }
}
