package dev.onceward.worker.media;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.event.RawJson;
import dev.onceward.worker.handle.PermanentTaskException;
import java.util.UUID;

/** Reads the one id that the events of this package carry. */
final class EventIds {

  private static final ObjectMapper JSON = new ObjectMapper();

  private EventIds() {}

  /**
   * @param member the id's name
   * @throws PermanentTaskException if there is no such id
   */
  static UUID read(RawJson payload, String member) throws PermanentTaskException {
    try {
      return UUID.fromString(JSON.readTree(payload.text()).path(member).asText());
    } catch (JsonProcessingException | IllegalArgumentException notReadable) {
      throw new PermanentTaskException(
          "EVENT_PAYLOAD_INVALID", "The payload needs a " + member + " (UUID).");
    }
  }
}
