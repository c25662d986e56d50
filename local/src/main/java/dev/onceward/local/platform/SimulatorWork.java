package dev.onceward.local.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** What the platform does with one kind of call. Implementations are thread-safe. */
interface SimulatorWork {

  /**
   * What a call is answered.
   *
   * @param status 200, or a 4xx that refuses it
   * @param body JSON in UTF-8; of a refusal the detail as text
   */
  record Reply(int status, String body) {

    static Reply done(Object body) throws JsonProcessingException {
      return new Reply(200, new ObjectMapper().writeValueAsString(body));
    }

    static Reply refused(int status, String detail) {
      return new Reply(status, detail);
    }
  }

  /** How the body of a call must look, for the answer to one that does not. */
  String form();

  /** Whether a call changes something, so that it counts as an effect of its key. */
  boolean isEffect();

  /** The answer to a call; null when the body is malformed. */
  @Nullable Reply reply(JsonNode request) throws JsonProcessingException;

  /** Whether a request names a shop and shows credentials. */
  static boolean namesShop(JsonNode request) {
    return request.path("platform").isTextual()
        && request.path("external_id").isTextual()
        && request.path("credentials").isObject();
  }

  /** Whether the credentials of a request are valid: none of their values begins with invalid. */
  static boolean credentialsAreValid(JsonNode request) {
    boolean valid = true;
    for (JsonNode value : request.path("credentials")) {
      valid &= !value.asText().startsWith("invalid");
    }
    return valid;
  }
}
