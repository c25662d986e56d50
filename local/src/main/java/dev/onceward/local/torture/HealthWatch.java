package dev.onceward.local.torture;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.local.cluster.Service;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Asks each process for its health, on a thread for each, until it is closed. Thread-safe. */
final class HealthWatch implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PACE = Duration.ofMillis(400);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
  private static final int OK = 200;

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();
  private final List<HealthSample> samples = new ArrayList<>();
  private final Map<String, String> roles = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  HealthWatch(List<Service> services) {
    for (Service service : services) {
      Thread thread = new Thread(() -> watch(service), "health-watch-" + service.name());
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** All samples so far. */
  synchronized List<HealthSample> samples() {
    return List.copyOf(samples);
  }

  /** Whether a relay has called itself the leader when it was last asked. */
  boolean leads(String service) {
    return "leader".equals(roles.get(service));
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void watch(Service service) {
    HttpRequest request = HttpRequest.newBuilder(service.health()).timeout(ANSWER_LIMIT).build();
    try {
      while (!closed) {
        Instant askedAt = Instant.now();
        boolean ready = ask(service.name(), request);
        add(new HealthSample(service.name(), askedAt, Instant.now(), ready));
        Thread.sleep(PACE.toMillis());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean ask(String service, HttpRequest request) throws InterruptedException {
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      String role =
          JSON.readTree(answer.body()).path("checks").path("stream").path("role").asText("");
      roles.put(service, role);
      return answer.statusCode() == OK;
    } catch (IOException away) {
      roles.remove(service);
      return false;
    }
  }

  private synchronized void add(HealthSample sample) {
    samples.add(sample);
  }
}
