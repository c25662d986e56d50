package dev.onceward.worker.platform;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.db.draft.DraftContent;
import dev.onceward.db.draft.Publication;
import dev.onceward.db.draft.PublicationStore;
import dev.onceward.db.secret.SecretGuard;
import dev.onceward.db.store.StoreCredentials;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Puts a draft up for sale, with the content that the publication holds, and writes the platform's
 * name of it together with the end of the operation.
 */
final class PublishListing implements EventHandler {

  private static final int MAX_LISTING_ID_CHARACTERS = 200;

  private final StoreAccess access;
  private final PlatformClient platform;

  PublishListing(StoreAccess access, PlatformClient platform) {
    this.access = access;
    this.platform = platform;
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(
        new HandledType(
            "listing.publish_requested", 1, "listing", PublicationStore.OPERATION_KIND));
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws Exception {
    UUID publicationId = EventPayload.id(attempt, "publication_id");
    Publication publication =
        attempt
            .inWorkspace(connection -> PublicationStore.find(connection, publicationId))
            .orElseThrow(
                () ->
                    new PermanentTaskException(
                        "PUBLICATION_NOT_FOUND", "The publication does not exist any more."));
    StoreCredentials store = access.read(attempt, publication.content().storeId());
    JsonNode answer =
        platform.post(
            PlatformRequest.of(
                attempt,
                "v1/listings",
                PlatformBody.of(store, json -> write(json, publication.content()))));
    String listingId = PlatformText.identifier(answer, "listing_id", MAX_LISTING_ID_CHARACTERS);
    if (listingId == null) {
      throw PlatformClient.unreadable(null);
    }
    if (SecretGuard.isSecretInText(listingId)) {
      throw new PermanentTaskException(
          "PLATFORM_ANSWER_REFUSED", "The platform's listing_id looks like a secret.");
    }
    String result =
        JsonNodeFactory.instance
            .objectNode()
            .put("publication_id", publicationId.toString())
            .put("draft_revision", publication.draftRevision())
            .put("listing_id", listingId)
            .toString();
    return connection -> {
      if (!PublicationStore.recordListing(connection, publicationId, listingId)) {
        throw new IllegalStateException("publication " + publicationId + " is gone");
      }
      return result;
    };
  }

  private static void write(JsonGenerator json, DraftContent content) throws IOException {
    json.writeObjectFieldStart("listing");
    json.writeStringField("title", content.title());
    if (content.description() != null) {
      json.writeStringField("description", content.description());
    }
    if (content.price() != null) {
      json.writeStringField("price", content.price());
    }
    json.writeArrayFieldStart("media_ids");
    for (UUID mediaId : content.mediaIds()) {
      json.writeString(mediaId.toString());
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
