package dev.onceward.worker.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import java.util.UUID;

/** Reads ids out of events; further members are for others. Stateless. */
final class EventPayload {

  private static final ObjectMapper JSON = new ObjectMapper();

  private EventPayload() {}

  /**
   * @throws PermanentTaskException if the payload has no id of that name
   */
  static UUID id(TaskAttempt attempt, String member) throws PermanentTaskException {
    try {
      JsonNode json = JSON.readTree(attempt.event().envelope().payload().text());
      if (json.path(member).isTextual()) {
        return UUID.fromString(json.path(member).asText());
      }
    } catch (JsonProcessingException | IllegalArgumentException notReadable) {
      throw invalid(member);
    }
    throw invalid(member);
  }

  private static PermanentTaskException invalid(String member) {
    return new PermanentTaskException(
        "EVENT_PAYLOAD_INVALID", "The payload needs " + member + " (UUID).");
  }
}
