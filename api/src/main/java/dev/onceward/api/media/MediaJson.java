package dev.onceward.api.media;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.db.media.MaterialTransfer;
import dev.onceward.db.media.Media;

/** The JSON of media and transfers; absent members have no value (yet). */
final class MediaJson {
  private MediaJson() {}

  static ObjectNode of(Media media) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", media.id().toString());
    json.put("status", media.status().label());
    if (media.fileName() != null) {
      json.put("file_name", media.fileName());
    }
    if (media.declaredType() != null) {
      json.put("declared_type", media.declaredType());
    }
    if (media.declaredSizeBytes() != null) {
      json.put("declared_size_bytes", media.declaredSizeBytes());
    }
    if (media.sizeBytes() != null) {
      json.put("size_bytes", media.sizeBytes());
      json.put("sha256", media.sha256());
    }
    if (media.detectedType() != null) {
      json.put("detected_type", media.detectedType());
    }
    if (media.widthPixels() != null) {
      json.put("width_pixels", media.widthPixels());
      json.put("height_pixels", media.heightPixels());
    }
    if (media.rejectionCode() != null) {
      json.put("rejection_code", media.rejectionCode());
    }
    json.put("created_at", media.createdAt().toString());
    json.put("updated_at", media.updatedAt().toString());
    return json;
  }

  static ObjectNode of(MaterialTransfer transfer) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", transfer.id().toString());
    json.put("source_url", transfer.sourceUrl());
    if (transfer.fileName() != null) {
      json.put("file_name", transfer.fileName());
    }
    json.put("status", transfer.status());
    if (transfer.mediaId() != null) {
      json.put("media_id", transfer.mediaId().toString());
    }
    json.put("created_at", transfer.createdAt().toString());
    json.put("updated_at", transfer.updatedAt().toString());
    return json;
  }
}
