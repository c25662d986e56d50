package dev.onceward.local.endtoend;

import dev.onceward.local.client.ApiAnswer;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One wish of a client with its key, sent until it is accepted. Thread-safe. */
final class KeyedRequest {

  private final String key;
  private final CompletableFuture<ApiAnswer> accepted = new CompletableFuture<>();
  private final Instant firstSentAt = Instant.now();
  private int attempts;
  private @Nullable Instant acceptedAt;

  KeyedRequest(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  Instant firstSentAt() {
    return firstSentAt;
  }

  /** Completed by the answer 202, or exceptionally when the request is refused. */
  CompletableFuture<ApiAnswer> accepted() {
    return accepted;
  }

  synchronized void sent() {
    attempts++;
  }

  synchronized void accept(ApiAnswer answer) {
    acceptedAt = Instant.now();
    accepted.complete(answer);
  }

  synchronized int attempts() {
    return attempts;
  }

  /** Whether it had been accepted by that moment. */
  synchronized boolean isAcceptedBefore(Instant moment) {
    return acceptedAt != null && acceptedAt.isBefore(moment);
  }
}
