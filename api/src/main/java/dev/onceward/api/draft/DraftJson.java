package dev.onceward.api.draft;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.db.draft.Draft;
import dev.onceward.db.draft.DraftContent;
import dev.onceward.db.draft.Publication;

/** The JSON of drafts and publications; absent members have no value. */
final class DraftJson {
  private DraftJson() {}

  static ObjectNode of(Draft draft) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", draft.id().toString());
    json.put("revision", draft.revision());
    json.setAll(content(draft.content()));
    json.put("created_at", draft.createdAt().toString());
    json.put("updated_at", draft.updatedAt().toString());
    return json;
  }

  static ObjectNode of(Publication publication) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", publication.id().toString());
    json.put("draft_id", publication.draftId().toString());
    json.put("draft_revision", publication.draftRevision());
    json.put("operation_id", publication.operationId().toString());
    json.put("state", publication.state().label());
    json.setAll(content(publication.content()));
    if (publication.listingId() != null) {
      json.put("listing_id", publication.listingId());
    }
    if (publication.publishedAt() != null) {
      json.put("published_at", publication.publishedAt().toString());
    }
    json.put("created_at", publication.createdAt().toString());
    return json;
  }

  private static ObjectNode content(DraftContent content) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("store_id", content.storeId().toString());
    json.put("title", content.title());
    if (content.description() != null) {
      json.put("description", content.description());
    }
    if (content.price() != null) {
      json.put("price", content.price());
    }
    ArrayNode mediaIds = json.putArray("media_ids");
    content.mediaIds().forEach(id -> mediaIds.add(id.toString()));
    return json;
  }
}
