package dev.onceward.worker.flow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.event.RawJson;
import dev.onceward.worker.handle.PermanentTaskException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a run's events. Immutable.
 *
 * @param todoId the to-do that was resolved; null when the run was started
 */
record RunEvent(UUID runId, @Nullable UUID todoId) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads {@code {"run_id":…,"todo_id":…?}}; further members are for others.
   *
   * @throws PermanentTaskException if it is something else
   */
  static RunEvent read(RawJson payload) throws PermanentTaskException {
    try {
      JsonNode json = JSON.readTree(payload.text());
      if (json.path("run_id").isTextual()) {
        JsonNode todoId = json.path("todo_id");
        return new RunEvent(
            UUID.fromString(json.path("run_id").asText()),
            todoId.isTextual() ? UUID.fromString(todoId.asText()) : null);
      }
    } catch (JsonProcessingException | IllegalArgumentException notReadable) {
      throw invalid();
    }
    throw invalid();
  }

  private static PermanentTaskException invalid() {
    return new PermanentTaskException(
        "EVENT_PAYLOAD_INVALID", "The payload needs a run_id (UUID), and a todo_id that is one.");
  }
}
