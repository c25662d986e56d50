package dev.onceward.local.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.process.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Calls the API with one access key. Thread-safe. */
public final class ApiClient {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI url;
  private final Secret accessKey;
  private final Duration timeout;
  private final HttpClient client;

  /**
   * @param url of the API, without a path
   * @param accessKey the bearer token
   * @param timeout for connecting, and for each answer
   */
  public ApiClient(URI url, Secret accessKey, Duration timeout) {
    this.url = url;
    this.accessKey = accessKey;
    this.timeout = timeout;
    // HTTP/1.1: the API speaks no other, and an upgrade would cost a header per connection.
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
  }

  /**
   * Creates a store authorisation.
   *
   * @param idempotencyKey of this one wish
   * @param externalId the shop's id on its platform
   */
  public ApiAnswer createStore(String idempotencyKey, String externalId)
      throws IOException, InterruptedException {
    return send(storeRequest(idempotencyKey, externalId));
  }

  /** The same without waiting; a broken connection completes it exceptionally. */
  public CompletableFuture<ApiAnswer> createStoreLater(String idempotencyKey, String externalId) {
    return client
        .sendAsync(storeRequest(idempotencyKey, externalId), HttpResponse.BodyHandlers.ofString())
        .thenApply(ApiAnswer::of);
  }

  /**
   * An operation, once it is final or the wait is over.
   *
   * @param wait at most how long the API holds the answer back; whole seconds
   */
  public ApiAnswer operation(String id, Duration wait) throws IOException, InterruptedException {
    return send(
        request("/v1/operations/" + id + "?wait=" + wait.toSeconds() + "s")
            .timeout(timeout.plus(wait))
            .GET()
            .build());
  }

  /** Any POST with an idempotency key. */
  public ApiAnswer post(String path, String idempotencyKey, String body)
      throws IOException, InterruptedException {
    return send(postRequest(path, idempotencyKey, body));
  }

  /** Any PUT with an idempotency key. */
  public ApiAnswer put(String path, String idempotencyKey, String body)
      throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Idempotency-Key", idempotencyKey)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** Any GET. */
  public ApiAnswer get(String path) throws IOException, InterruptedException {
    return send(request(path).GET().build());
  }

  /** A PUT of a file. */
  public ApiAnswer put(String path, byte[] content) throws IOException, InterruptedException {
    return send(request(path).PUT(HttpRequest.BodyPublishers.ofByteArray(content)).build());
  }

  /** The bytes that a GET answers with, whatever its status. */
  public byte[] getBytes(String path) throws IOException, InterruptedException {
    return client.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofByteArray()).body();
  }

  /** The body of a request that creates a store. */
  public static String storeBody(String externalId) {
    try {
      return JSON.writeValueAsString(
          Map.of(
              "platform",
              "shopline",
              "external_id",
              externalId,
              "name",
              "Shop " + externalId,
              "credentials",
              Map.of("app_key", "demo", "app_secret", "not-a-real-one")));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a map of texts cannot be written as JSON", impossible);
    }
  }

  private HttpRequest storeRequest(String idempotencyKey, String externalId) {
    return postRequest("/v1/stores", idempotencyKey, storeBody(externalId));
  }

  private HttpRequest postRequest(String path, String idempotencyKey, String body) {
    return request(path)
        .header("Idempotency-Key", idempotencyKey)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path))
        .timeout(timeout)
        .header("Authorization", "Bearer " + accessKey.reveal());
  }

  private ApiAnswer send(HttpRequest request) throws IOException, InterruptedException {
    return ApiAnswer.of(client.send(request, HttpResponse.BodyHandlers.ofString()));
  }
}
