package dev.onceward.worker.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.event.RawJson;
import dev.onceward.worker.handle.PermanentTaskException;
import java.util.UUID;

/**
 * The payload of a store's events: which credentials are meant, never the credentials. Immutable.
 *
 * @param credentialVersion counted from 1
 */
record StoreEvent(UUID storeId, int credentialVersion) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads {@code {"store_id":…,"credential_version":…}}; further members are for others.
   *
   * @throws PermanentTaskException if it is something else
   */
  static StoreEvent read(RawJson payload) throws PermanentTaskException {
    try {
      JsonNode json = JSON.readTree(payload.text());
      JsonNode version = json.path("credential_version");
      if (json.path("store_id").isTextual()
          && version.canConvertToInt()
          && version.isIntegralNumber()) {
        return new StoreEvent(UUID.fromString(json.path("store_id").asText()), version.intValue());
      }
    } catch (JsonProcessingException | IllegalArgumentException notReadable) {
      throw invalid();
    }
    throw invalid();
  }

  private static PermanentTaskException invalid() {
    return new PermanentTaskException(
        "EVENT_PAYLOAD_INVALID",
        "The payload needs a store_id (UUID) and a credential_version (whole number).");
  }
}
