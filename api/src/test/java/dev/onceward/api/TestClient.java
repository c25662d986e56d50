package dev.onceward.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Speaks HTTP with one access key. Thread-safe. */
public final class TestClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final int port;
  private final String accessKey;

  public TestClient(int port, String accessKey) {
    this.port = port;
    this.accessKey = accessKey;
  }

  /** The same workspace through another instance. */
  public TestClient at(int otherPort) {
    return new TestClient(otherPort, accessKey);
  }

  public String accessKey() {
    return accessKey;
  }

  /** An answer. */
  public record Reply(HttpResponse<String> response) {
    public int status() {
      return response.statusCode();
    }

    public String body() {
      return response.body();
    }

    public JsonNode json() {
      try {
        return JSON.readTree(response.body());
      } catch (JsonProcessingException e) {
        throw new AssertionError("no JSON: " + response.body(), e);
      }
    }

    public @Nullable String header(String name) {
      return response.headers().firstValue(name).orElse(null);
    }

    public String code() {
      return json().path("code").asText();
    }

    /** Holds this to be a problem with this status and code, in form too. */
    public Reply expectProblem(int status, String code) {
      assertThat(status() + " " + body()).startsWith(status + " ").contains("\"" + code + "\"");
      assertThat(header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(json().get("status").asInt()).isEqualTo(status);
      assertThat(json().get("code").asText()).isEqualTo(code);
      assertThat(json().get("title").asText()).isNotBlank();
      assertThat(json().get("detail").asText()).isNotBlank();
      assertThat(json().get("type").asText()).startsWith("urn:onceward:problem:");
      assertThat(header("X-Request-Id")).isNotBlank();
      return this;
    }

    /** Holds this to be of that status. */
    public Reply expect(int status) {
      assertThat(status() + " " + body()).startsWith(status + " ");
      return this;
    }
  }

  /** Sends; {@code headers} are names and values in turn. */
  public Reply send(String method, String path, @Nullable String body, String... headers) {
    try {
      return new Reply(http.send(request(method, path, body, headers), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(method + " " + path, e);
    }
  }

  /** Sends without waiting. */
  public CompletableFuture<Reply> sendLater(
      String method, String path, @Nullable String body, String... headers) {
    return http.sendAsync(request(method, path, body, headers), BodyHandlers.ofString())
        .thenApply(Reply::new);
  }

  private HttpRequest request(
      String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(60))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!accessKey.isEmpty()) {
      builder.header("Authorization", "Bearer " + accessKey);
    }
    boolean typed = false;
    for (int i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
      typed |= headers[i].equals("Content-Type");
    }
    if (body != null && !typed) {
      builder.header("Content-Type", "application/json");
    }
    return builder.build();
  }

  public Reply get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  /** Posts under a key. */
  public Reply post(String path, String body, String idempotencyKey) {
    return send("POST", path, body, "Idempotency-Key", idempotencyKey);
  }

  /** Posts under a fresh key. */
  public Reply post(String path, String body) {
    return post(path, body, UUID.randomUUID().toString());
  }
}
