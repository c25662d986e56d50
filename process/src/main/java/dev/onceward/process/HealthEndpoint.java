package dev.onceward.process;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves {@code /health/live} (200 while the process runs), {@code /health/ready} (200 or 503, see
 * {@link HealthReport}) and {@code /metrics} (Prometheus text). Thread-safe.
 */
public final class HealthEndpoint implements AutoCloseable {
  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final HttpServer server;
  private final ExecutorService threads;
  private final HealthChecks checks;
  private final PrometheusMeterRegistry metrics;

  private HealthEndpoint(
      HttpServer server,
      ExecutorService threads,
      HealthChecks checks,
      PrometheusMeterRegistry metrics) {
    this.server = server;
    this.threads = threads;
    this.checks = checks;
    this.metrics = metrics;
  }

  /**
   * @param port 0 takes a free one, see {@link #port()}
   * @param portKey the setting that names the port, for the error message
   * @throws StartupException when the address cannot be bound
   */
  public static HealthEndpoint start(
      String host, int port, String portKey, HealthChecks checks, PrometheusMeterRegistry metrics) {
    HttpServer server = bind(host, port, portKey);
    checks.measure(metrics);
    AtomicInteger count = new AtomicInteger();
    ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "health-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    HealthEndpoint endpoint = new HealthEndpoint(server, threads, checks, metrics);
    server.setExecutor(threads);
    server.createContext("/", endpoint::handle);
    server.start();
    return endpoint;
  }

  /** The port it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Idempotent. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private static HttpServer bind(String host, int port, String portKey) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw StartupException.unavailable(
          "the health endpoint cannot listen on the unknown host \"" + host + "\"",
          "Name an address of this machine, or 0.0.0.0 for all",
          null);
    }
    try {
      return HttpServer.create(address, 0);
    } catch (IOException failure) {
      throw StartupException.unavailable(
          "the health endpoint cannot listen on "
              + host
              + ":"
              + port
              + " ("
              + failure.getMessage()
              + ")",
          "Stop what uses the port, or choose another with "
              + Setting.environmentName(portKey)
              + " ("
              + portKey
              + ")",
          failure);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String method = exchange.getRequestMethod();
      if (!method.equals("GET") && !method.equals("HEAD")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        answer(exchange, 405, JSON, "{\"error\":\"only GET and HEAD\"}");
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/health/live" -> answer(exchange, 200, JSON, "{\"status\":\"UP\"}");
        case "/health/ready" -> {
          HealthReport report = checks.report();
          answer(exchange, report.httpStatus(), JSON, report.json());
        }
        case "/metrics" -> answer(exchange, 200, PROMETHEUS, metrics.scrape());
        default ->
            answer(
                exchange,
                404,
                JSON,
                "{\"error\":\"unknown path\",\"paths\":[\"/health/live\",\"/health/ready\",\"/metrics\"]}");
      }
    }
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(bytes.length));
      exchange.sendResponseHeaders(status, -1);
    } else {
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
