package dev.onceward.local.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookSigningException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;

/** An outside system that signs with the reference library of Standard Webhooks. Thread-safe. */
final class HookSender {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(15);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT).build();
  private final URI address;
  private final Webhook signer;

  /**
   * @param api without a path
   * @param made the answer that made the hook, with its secret
   */
  HookSender(URI api, JsonNode made) {
    this.address = api.resolve(made.at("/hook/path").asText());
    try {
      this.signer = new Webhook(made.path("secret").asText());
    } catch (EmptyWebhookSecretException e) {
      throw new AssertionError(e);
    }
  }

  /** What came back. */
  record Answer(int status, JsonNode json) {}

  /**
   * Delivers with the time of now.
   *
   * @throws IOException when the connection breaks: nobody knows then what came of it
   */
  Answer deliver(String id, String body) throws IOException, InterruptedException {
    long now = Instant.now().getEpochSecond();
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", Long.toString(now))
            .header("webhook-signature", sign(id, now, body))
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    return new Answer(response.statusCode(), JSON.readTree(response.body()));
  }

  private String sign(String id, long now, String body) {
    try {
      return signer.sign(id, now, body);
    } catch (WebhookSigningException e) {
      throw new AssertionError(e);
    }
  }
}
