package dev.onceward.api.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One answer, complete: what is sent now is what an idempotent write stores. Immutable.
 *
 * @param status the HTTP status
 * @param headers headers that belong to the answer itself, {@code Content-Type} among them; those
 *     of one exchange (request ids, date) are not here
 * @param body the text of the body, sent as UTF-8; empty when it is streamed
 * @param stream what is sent instead of a text; null for a text. Such an answer cannot be stored
 */
public record Answer(
    int status, Map<String, String> headers, String body, @Nullable StreamedBody stream) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Copies the headers. */
  public Answer {
    headers = Map.copyOf(headers);
  }

  /** An answer with a text. */
  public Answer(int status, Map<String, String> headers, String body) {
    this(status, headers, body, null);
  }

  /** An answer with a file. */
  public static Answer file(String contentType, StreamedBody stream) {
    return new Answer(200, Map.of("Content-Type", contentType), "", stream);
  }

  /** An answer with a JSON body. */
  public static Answer json(int status, JsonNode body) {
    try {
      return new Answer(
          status, Map.of("Content-Type", "application/json"), JSON.writeValueAsString(body));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  /** The same with one more header. */
  public Answer withHeader(String name, String value) {
    Map<String, String> all = new TreeMap<>(headers);
    all.put(name, value);
    return new Answer(status, all, body, stream);
  }

  byte[] bytes() {
    return body.getBytes(StandardCharsets.UTF_8);
  }
}
