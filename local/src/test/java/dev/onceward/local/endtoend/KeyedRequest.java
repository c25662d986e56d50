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
  private @Nullable String firstFailure;

  KeyedRequest(String key) {
    this.key = key;
  }

  String key() {
    return key;
  }

  Instant firstSentAt() {
    return firstSentAt;
  }

  /** Completed by the answer 202, or exceptionally when the client gives up. */
  CompletableFuture<ApiAnswer> accepted() {
    return accepted;
  }

  synchronized void sent() {
    attempts++;
  }

  synchronized void failed(String reason) {
    if (firstFailure == null) {
      firstFailure = reason;
    }
  }

  synchronized int attempts() {
    return attempts;
  }

  /** Whether the first attempt was accepted. */
  synchronized boolean acceptedAtOnce() {
    return attempts == 1 && accepted.isDone() && !accepted.isCompletedExceptionally();
  }

  synchronized @Nullable String firstFailure() {
    return firstFailure;
  }
}
