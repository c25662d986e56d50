package dev.onceward.worker.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls a platform over HTTP. Each call carries the event's id as its {@code Idempotency-Key}, so
 * that a repeated attempt has no second effect over there. Thread-safe.
 */
final class PlatformClient {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  // Numbers keep their digits.
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final String base;
  private final Duration timeout;
  private final HttpClient http;

  /**
   * Makes a client; the platform need not be there yet.
   *
   * @param platformUrl what {@code /v1/…} is appended to
   * @param timeout for the beginning of an answer
   */
  PlatformClient(URI platformUrl, Duration timeout) {
    String url = platformUrl.toString();
    this.base = url.endsWith("/") ? url : url + "/";
    this.timeout = timeout;
    // A redirect could carry the credentials elsewhere.
    this.http =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /**
   * Posts, and returns the JSON object of the answer.
   *
   * @throws PermanentTaskException if the platform refuses the request (4xx)
   * @throws RetriableTaskException if it is away, slow, overloaded, or answers what nobody can read
   * @throws InterruptedException if the attempt is over
   */
  JsonNode post(PlatformRequest call) throws TaskException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + call.path()))
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("Idempotency-Key", call.idempotencyKey())
            .POST(HttpRequest.BodyPublishers.ofString(call.body()));
    if (call.traceparent() != null) {
      request.header("traceparent", call.traceparent());
    }
    try {
      HttpResponse<InputStream> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        return read(response, body, call.maxAnswerBytes());
      }
    } catch (HttpTimeoutException slow) {
      throw new RetriableTaskException(
          "PLATFORM_TIMEOUT", "The platform did not answer within " + timeout + ".", null, slow);
    } catch (IOException failure) {
      if (Thread.interrupted() || causedByInterrupt(failure)) {
        throw new InterruptedException();
      }
      throw new RetriableTaskException(
          "PLATFORM_UNREACHABLE", "The connection to the platform failed.", null, failure);
    }
  }

  private static boolean causedByInterrupt(IOException failure) {
    return failure instanceof InterruptedIOException
        || failure.getCause() instanceof InterruptedException;
  }

  private static JsonNode read(HttpResponse<InputStream> response, InputStream body, int maxBytes)
      throws TaskException, IOException {
    int status = response.statusCode();
    if (status == 200) {
      return parse(body.readNBytes(maxBytes));
    }
    if (status == 429 || status == 408 || status >= 500) {
      throw new RetriableTaskException(
          "PLATFORM_UNAVAILABLE",
          "The platform answered with status " + status + ".",
          retryAfter(response),
          null);
    }
    if (status >= 400) {
      throw new PermanentTaskException(
          "PLATFORM_REJECTED", "The platform refused the request with status " + status + ".");
    }
    throw new RetriableTaskException(
        "PLATFORM_UNREADABLE_ANSWER",
        "The platform answered with the unexpected status " + status + ".");
  }

  /** RFC 9110, section 10.2.3, in its form of seconds; null if absent or of the other form. */
  private static @Nullable Duration retryAfter(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .filter(text -> text.matches("[0-9]{1,6}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)))
        .orElse(null);
  }

  private static JsonNode parse(byte[] answer) throws RetriableTaskException {
    try {
      JsonNode json = JSON.readTree(answer);
      if (json != null && json.isObject()) {
        return json;
      }
    } catch (JsonProcessingException unreadable) {
      throw unreadable(unreadable);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // memory does not fail
    }
    throw unreadable(null);
  }

  /** The failure of an answer that is not what was agreed on. */
  static RetriableTaskException unreadable(@Nullable Throwable cause) {
    return new RetriableTaskException(
        "PLATFORM_UNREADABLE_ANSWER",
        "The platform's answer is not the JSON object that was agreed on.",
        null,
        cause);
  }
}
