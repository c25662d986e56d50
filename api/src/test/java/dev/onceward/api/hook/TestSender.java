package dev.onceward.api.hook;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookSigningException;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** An outside system that signs with the reference library of Standard Webhooks. Thread-safe. */
public final class TestSender {
  private final TestClient http;
  private final String hookId;
  private final Webhook signer;

  /** A sender to one hook. */
  public TestSender(int port, String hookId, String secret) {
    this.http = new TestClient(port, "");
    this.hookId = hookId;
    try {
      this.signer = new Webhook(secret);
    } catch (EmptyWebhookSecretException e) {
      throw new AssertionError(e);
    }
  }

  String signature(String id, long timestamp, String body) {
    try {
      return signer.sign(id, timestamp, body);
    } catch (WebhookSigningException e) {
      throw new AssertionError(e);
    }
  }

  /** Delivers with the time of now. */
  public Reply deliver(String id, String body) {
    return deliverLater(id, body).join();
  }

  /** Delivers without waiting. */
  public CompletableFuture<Reply> deliverLater(String id, String body, String... headers) {
    long now = Instant.now().getEpochSecond();
    String[] all = new String[headers.length + 6];
    all[0] = "webhook-id";
    all[1] = id;
    all[2] = "webhook-timestamp";
    all[3] = Long.toString(now);
    all[4] = "webhook-signature";
    all[5] = signature(id, now, body);
    System.arraycopy(headers, 0, all, 6, headers.length);
    return http.sendLater("POST", "/hooks/" + hookId, body, all);
  }

  /** Delivers with any headers. */
  Reply raw(String body, String... headers) {
    return http.send("POST", "/hooks/" + hookId, body, headers);
  }
}
