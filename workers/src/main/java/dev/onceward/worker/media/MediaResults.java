package dev.onceward.worker.media;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.db.media.Media;

/** The results of this package's operations, as JSON. */
final class MediaResults {

  private MediaResults() {}

  /** What became of a media: its status as the outcome, and what was found. */
  static String of(Media media) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("outcome", media.status().label());
    addTo(json, media);
    return json.toString();
  }

  /** What a transfer brought. */
  static String stored(Media media) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("outcome", "stored");
    addTo(json, media);
    return json.toString();
  }

  private static void addTo(ObjectNode json, Media media) {
    json.put("media_id", media.id().toString());
    if (media.rejectionCode() != null) {
      json.put("reason", media.rejectionCode());
    }
    json.put("detected_type", media.detectedType());
    json.put("size_bytes", media.sizeBytes());
    json.put("sha256", media.sha256());
    if (media.widthPixels() != null) {
      json.put("width_pixels", media.widthPixels());
      json.put("height_pixels", media.heightPixels());
    }
  }
}
