package dev.onceward.worker.platform;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.db.store.StoreCredentials;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskException;
import java.io.ByteArrayOutputStream;
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
public final class PlatformClient {

  private static final String PATH = "v1/credential-verifications";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_ANSWER_BYTES = 64 * 1024;
  private static final int MAX_NAME_CHARACTERS = 200;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI verifications;
  private final Duration timeout;
  private final HttpClient http;

  /**
   * Makes a client; the platform need not be there yet.
   *
   * @param platformUrl what {@code /v1/…} is appended to
   * @param timeout for the beginning of an answer
   */
  public PlatformClient(URI platformUrl, Duration timeout) {
    String base = platformUrl.toString();
    this.verifications = URI.create(base.endsWith("/") ? base + PATH : base + "/" + PATH);
    this.timeout = timeout;
    // A redirect could carry the credentials elsewhere.
    this.http =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  /**
   * Asks whether credentials are valid.
   *
   * @param traceparent passed on; null for none
   * @throws PermanentTaskException if the platform refuses the request (4xx)
   * @throws RetriableTaskException if it is away, slow, overloaded, or answers what nobody can read
   * @throws InterruptedException if the attempt is over
   */
  public PlatformAnswer verify(
      StoreCredentials store, String idempotencyKey, @Nullable String traceparent)
      throws TaskException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(verifications)
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .header("Idempotency-Key", idempotencyKey)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body(store)));
    if (traceparent != null) {
      request.header("traceparent", traceparent);
    }
    try {
      HttpResponse<InputStream> response =
          http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        return read(response, body);
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

  private static byte[] body(StoreCredentials store) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.getFactory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeStringField("platform", store.platform());
      json.writeStringField("external_id", store.externalId());
      json.writeFieldName("credentials");
      json.writeRawValue(store.credentials());
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // memory does not fail
    }
    return bytes.toByteArray();
  }

  private static PlatformAnswer read(HttpResponse<InputStream> response, InputStream body)
      throws TaskException, IOException {
    int status = response.statusCode();
    if (status == 200) {
      return parse(body.readNBytes(MAX_ANSWER_BYTES));
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

  private static PlatformAnswer parse(byte[] answer) throws RetriableTaskException {
    try {
      JsonNode json = JSON.readTree(answer);
      if (json != null && json.path("valid").isBoolean()) {
        JsonNode name = json.path("account_name");
        return new PlatformAnswer(
            json.path("valid").booleanValue(), name.isTextual() ? storable(name.asText()) : null);
      }
    } catch (JsonProcessingException unreadable) {
      throw unreadable(unreadable);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // memory does not fail
    }
    throw unreadable(null);
  }

  private static RetriableTaskException unreadable(@Nullable Throwable cause) {
    return new RetriableTaskException(
        "PLATFORM_UNREADABLE_ANSWER",
        "The platform's answer is not the JSON object that was agreed on.",
        null,
        cause);
  }

  /** A display name: what PostgreSQL cannot hold is left out, what is too long is cut. */
  private static String storable(String name) {
    return name.codePoints()
        .filter(point -> point != 0 && !(point >= 0xD800 && point <= 0xDFFF))
        .limit(MAX_NAME_CHARACTERS)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
