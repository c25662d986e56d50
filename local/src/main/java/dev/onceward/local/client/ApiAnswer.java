package dev.onceward.local.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.util.Optional;

/**
 * What the API answered. Immutable.
 *
 * @param status of HTTP
 * @param response with its headers
 * @param text the body as it came
 */
public record ApiAnswer(int status, HttpResponse<?> response, String text) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static ApiAnswer of(HttpResponse<String> response) {
    return new ApiAnswer(response.statusCode(), response, response.body());
  }

  /** The body as JSON; a missing node when it is none. */
  public JsonNode json() {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException notJson) {
      return JSON.missingNode();
    }
  }

  /** A header's first value. */
  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  /** Whether the answer is a stored one. */
  public boolean replayed() {
    return header("Idempotency-Replayed").filter("true"::equals).isPresent();
  }

  /** The {@code code} of a problem body; empty text when there is none. */
  public String problemCode() {
    return json().path("code").asText("");
  }

  /** The id of the operation in the body; empty text when there is none. */
  public String operationId() {
    return json().path("operation").path("id").asText("");
  }
}
