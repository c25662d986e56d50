package dev.onceward.local.endtoend;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Store creations at a steady rate, whatever the answers do, until {@link #finish}. Each client
 * repeats its request with the same key until it is accepted, with a growing pause. Thread-safe.
 */
final class SteadyLoad implements AutoCloseable {

  // Longer than the API makes anybody wait: a client that turns away leaves its work behind.
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(15);
  private static final long RETRY_FIRST_MILLIS = 250;
  private static final long RETRY_CAP_MILLIS = 16_000;

  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
  private final List<KeyedRequest> requests = new ArrayList<>();
  private final ApiClient client;
  private final String prefix;
  private boolean finishing;
  private Instant newestAccepted = Instant.MIN;

  /**
   * Begins to send.
   *
   * @param prefix of the keys and external ids
   * @param perSecond requests
   */
  SteadyLoad(LocalCluster cluster, String prefix, int perSecond) {
    this.client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
    this.prefix = prefix;
    var unused =
        scheduler.scheduleAtFixedRate(
            this::sendNext, 0, 1_000_000_000L / perSecond, TimeUnit.NANOSECONDS);
  }

  /** Returns when that many have been sent for the first time. */
  synchronized void awaitSent(int number) throws InterruptedException {
    while (requests.size() < number) {
      wait();
    }
  }

  /** Returns when a request that was first sent after that moment has been accepted. */
  synchronized void awaitAcceptedAfter(Instant moment) throws InterruptedException {
    while (!newestAccepted.isAfter(moment)) {
      wait();
    }
  }

  /** Stops sending new ones and returns all requests once each of them is accepted. */
  List<KeyedRequest> finish(Duration limit) throws Exception {
    List<KeyedRequest> all;
    synchronized (this) {
      finishing = true;
      all = List.copyOf(requests);
    }
    CompletableFuture.allOf(
            all.stream().map(KeyedRequest::accepted).toArray(CompletableFuture<?>[]::new))
        .get(limit.toMillis(), TimeUnit.MILLISECONDS);
    return all;
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private void sendNext() {
    KeyedRequest request;
    synchronized (this) {
      if (finishing) {
        return;
      }
      request = new KeyedRequest(prefix + requests.size());
      requests.add(request);
      notifyAll();
    }
    send(request);
  }

  private void send(KeyedRequest request) {
    request.sent();
    var unused =
        client
            .createStoreLater(request.key(), request.key())
            .whenComplete((answer, failure) -> judge(request, answer, failure));
  }

  private void judge(
      KeyedRequest request, @Nullable ApiAnswer answer, @Nullable Throwable failure) {
    if (answer != null && answer.status() == 202) {
      accept(request, answer);
      return;
    }
    String reason = answer == null ? String.valueOf(failure) : answer.status() + answer.text();
    boolean repeat =
        answer == null
            || answer.status() >= 500
            || answer.problemCode().equals("IDEMPOTENCY_REQUEST_IN_PROGRESS");
    if (repeat) {
      var unused =
          scheduler.schedule(
              () -> send(request), pauseMillis(request.attempts()), TimeUnit.MILLISECONDS);
    } else {
      request
          .accepted()
          .completeExceptionally(new AssertionError(request.key() + " was refused: " + reason));
    }
  }

  private synchronized void accept(KeyedRequest request, ApiAnswer answer) {
    request.accept(answer);
    if (request.firstSentAt().isAfter(newestAccepted)) {
      newestAccepted = request.firstSentAt();
    }
    notifyAll();
  }

  /** Twice as long each time, and scattered, as a client does that wants the server back. */
  private static long pauseMillis(int attempts) {
    long pause = Math.min(RETRY_CAP_MILLIS, RETRY_FIRST_MILLIS << Math.min(attempts - 1, 10));
    return pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
  }
}
