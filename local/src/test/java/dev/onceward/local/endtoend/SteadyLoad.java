package dev.onceward.local.endtoend;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Store creations at a steady rate, whatever the answers do. Each client repeats its request with
 * the same key until it is accepted. Thread-safe.
 */
final class SteadyLoad implements AutoCloseable {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);
  private static final long RETRY_FIRST_MILLIS = 250;
  private static final long RETRY_CAP_MILLIS = 4_000;

  private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);
  private final List<KeyedRequest> requests = new CopyOnWriteArrayList<>();
  private final ApiClient client;
  private final String prefix;
  private final int total;
  private final CountDownLatch sent;

  /**
   * Begins to send.
   *
   * @param prefix of the keys and external ids
   * @param perSecond requests
   * @param duration of the sending; repetitions go on as long as they are needed
   */
  SteadyLoad(LocalCluster cluster, String prefix, int perSecond, Duration duration) {
    this.client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
    this.prefix = prefix;
    this.total = Math.toIntExact(perSecond * duration.toMillis() / 1000);
    this.sent = new CountDownLatch(total);
    var unused =
        scheduler.scheduleAtFixedRate(
            this::sendNext, 0, 1_000_000_000L / perSecond, TimeUnit.NANOSECONDS);
  }

  /** Returns when that many have been sent for the first time. */
  void awaitSent(int number) throws InterruptedException {
    while (requests.size() < number) {
      // Woken by the end of the sending at the latest; else it looks again soon.
      if (sent.await(5, TimeUnit.MILLISECONDS)) {
        return;
      }
    }
  }

  /** Returns all requests once each of them is accepted. */
  List<KeyedRequest> awaitAccepted(Duration limit) throws Exception {
    sent.await();
    CompletableFuture.allOf(
            requests.stream().map(KeyedRequest::accepted).toArray(CompletableFuture<?>[]::new))
        .get(limit.toMillis(), TimeUnit.MILLISECONDS);
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private void sendNext() {
    if (requests.size() < total) {
      KeyedRequest request = new KeyedRequest(prefix + requests.size());
      requests.add(request);
      send(request);
      sent.countDown();
    }
  }

  private void send(KeyedRequest request) {
    request.sent();
    var unused =
        client
            .createStoreLater(request.key(), request.key())
            .whenComplete((answer, failure) -> judge(request, answer, failure));
  }

  /** Twice as long each time, and scattered, as a client does that wants the server back. */
  private static long pauseMillis(int attempts) {
    long pause = Math.min(RETRY_CAP_MILLIS, RETRY_FIRST_MILLIS << Math.min(attempts - 1, 10));
    return pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1);
  }

  private void judge(
      KeyedRequest request, @Nullable ApiAnswer answer, @Nullable Throwable failure) {
    if (answer != null && answer.status() == 202) {
      request.accepted().complete(answer);
      return;
    }
    String reason = answer == null ? String.valueOf(failure) : answer.status() + answer.text();
    request.failed(reason);
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
}
