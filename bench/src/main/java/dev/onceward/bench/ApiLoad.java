package dev.onceward.bench;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends store creations from several clients, each as fast as it is answered. Thread-safe. */
final class ApiLoad {

  private final ApiClient client;
  private final String prefix;

  /**
   * @param prefix of the idempotency keys and external ids; no other load may use it
   */
  ApiLoad(ApiClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  /**
   * Sends all requests and returns when all are answered.
   *
   * @throws IllegalStateException when one is not accepted
   */
  Latencies send(int requests, int concurrency) throws InterruptedException {
    long[] nanos = new long[requests];
    AtomicInteger next = new AtomicInteger();
    ExecutorService clients = Executors.newFixedThreadPool(concurrency);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int each = 0; each < concurrency; each++) {
        running.add(
            clients.submit(
                () -> {
                  for (int i = next.getAndIncrement(); i < requests; i = next.getAndIncrement()) {
                    nanos[i] = sendOne(i);
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException failure) {
      throw new IllegalStateException("a request failed", failure.getCause());
    } finally {
      clients.shutdownNow();
    }
    return new Latencies(nanos);
  }

  private long sendOne(int number) throws IOException, InterruptedException {
    String name = prefix + number;
    long before = System.nanoTime();
    ApiAnswer answer = client.createStore(name, name);
    long took = System.nanoTime() - before;
    if (answer.status() != 202) {
      throw new IllegalStateException("answered " + answer.status() + ": " + answer.text());
    }
    return took;
  }
}
