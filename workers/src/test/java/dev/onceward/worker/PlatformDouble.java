package dev.onceward.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A real HTTP server in the platform's place, which answers what the test says. */
final class PlatformDouble implements AutoCloseable {

  /** What came in. */
  record Call(
      String method,
      String path,
      @Nullable String idempotencyKey,
      @Nullable String traceparent,
      String body) {}

  /** What goes out; a body of null closes the connection without an answer. */
  record Answer(int status, @Nullable String body, @Nullable String retryAfter) {
    static Answer of(int status, @Nullable String body) {
      return new Answer(status, body, null);
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private volatile Function<Call, Answer> script =
      call -> Answer.of(200, "{\"valid\":true,\"account_name\":\"A shop\"}");

  PlatformDouble() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Call call =
          new Call(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              exchange.getRequestHeaders().getFirst("Idempotency-Key"),
              exchange.getRequestHeaders().getFirst("traceparent"),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      calls.add(call);
      Answer answer = script.apply(call);
      String body = answer.body();
      if (body == null) {
        return;
      }
      if (answer.retryAfter() != null) {
        exchange.getResponseHeaders().set("Retry-After", answer.retryAfter());
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  void answer(Function<Call, Answer> next) {
    script = next;
  }

  List<Call> calls() {
    return calls;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
