package dev.onceward.worker.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.onceward.db.Database;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.RawJson;
import dev.onceward.process.ConfigurationException;
import dev.onceward.process.Settings;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import dev.onceward.worker.handle.TaskEvent;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a server on loopback, which is an address that is not public. */
@Timeout(60)
class HttpEventHandlerTest {

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final byte[] KEY =
      "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(KEY);
  private static final char[] PASSWORD = "changeit".toCharArray();

  private record Call(String path, Map<String, List<String>> headers, String body) {}

  private interface Behaviour {
    void answer(HttpExchange exchange) throws IOException;
  }

  @TempDir private Path directory;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch mayAnswer = new CountDownLatch(1);
  private HttpServer server;
  private volatile Behaviour behaviour = exchange -> exchange.sendResponseHeaders(204, -1);

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve(server);
  }

  private void serve(HttpServer on) {
    on.setExecutor(threads);
    on.createContext(
        "/",
        exchange -> {
          try (exchange;
              InputStream in = exchange.getRequestBody()) {
            calls.add(
                new Call(
                    exchange.getRequestURI().getPath(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)));
            behaviour.answer(exchange);
          }
        });
    on.start();
  }

  @AfterEach
  void stop() {
    mayAnswer.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private static Behaviour status(int status) {
    return exchange -> exchange.sendResponseHeaders(status, -1);
  }

  private URI url(String path) {
    return URI.create("http://localhost:" + server.getAddress().getPort() + path);
  }

  private HttpEventHandler handler(@Nullable String secret, String... allowedHosts) {
    return handler(url("/events"), secret, Duration.ofSeconds(10), allowedHosts);
  }

  private static HttpEventHandler handler(
      URI url, @Nullable String secret, Duration timeout, String... allowedHosts) {
    return new HttpEventHandler(
        new HttpHandlerConfig(
            "billing",
            new HandledType("order.paid", 1, "order", "bill_order"),
            url,
            secret == null ? null : WebhookSecrets.parse(secret),
            timeout,
            Set.of(allowedHosts)),
        Clock.systemUTC());
  }

  @Test
  void the_event_is_posted_with_its_key_its_trace_and_a_signature_that_others_can_check()
      throws Exception {
    Attempt attempt = new Attempt();
    assertThat(handler(SECRET + "," + "whsec_" + "b".repeat(40)).handle(attempt).isPlain())
        .isTrue();

    Call call = calls.get(0);
    String id = attempt.event().envelope().eventId().toString();
    assertThat(call.body())
        .isEqualTo(
            new String(EnvelopeCodec.encode(attempt.event().envelope()), StandardCharsets.UTF_8));
    assertThat(call.headers().get("Idempotency-key")).containsExactly(id);
    assertThat(call.headers().get("Traceparent")).containsExactly(TRACE);
    assertThat(call.headers().get("Webhook-id")).containsExactly(id);
    assertThat(String.valueOf(call.headers().get("Content-type"))).contains("application/json");
    new Webhook(SECRET).verify(call.body(), call.headers());
  }

  @Test
  void without_a_secret_nothing_is_signed() throws Exception {
    var unused = handler(null).handle(new Attempt());
    assertThat(calls.get(0).headers()).doesNotContainKey("Webhook-signature");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 299})
  void a_success_is_done(int status) throws Exception {
    behaviour = status(status);
    assertThat(handler(null).handle(new Attempt()).isPlain()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 410, 422, 301, 302, 304})
  void a_refusal_is_permanent(int status) {
    behaviour = status(status);
    PermanentTaskException refused =
        catchThrowableOfType(
            PermanentTaskException.class, () -> handler(null).handle(new Attempt()));
    assertThat(refused.code()).isEqualTo("HTTP_HANDLER_REJECTED");
    assertThat(calls).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 502, 503, 504})
  void what_may_pass_is_retried_no_sooner_than_the_other_side_asks(int status) {
    behaviour =
        exchange -> {
          exchange.getResponseHeaders().add("Retry-After", "7");
          exchange.sendResponseHeaders(status, -1);
        };
    RetriableTaskException later =
        catchThrowableOfType(
            RetriableTaskException.class, () -> handler(null).handle(new Attempt()));
    assertThat(later.code()).isEqualTo("HTTP_HANDLER_UNAVAILABLE");
    assertThat(later.notBefore()).isEqualTo(Duration.ofSeconds(7));
    assertThat(calls).as("the retry is the operation's, not the client's").hasSize(1);
  }

  @Test
  void silence_ends_with_the_time_out_and_is_retried() {
    behaviour = exchange -> awaitQuietly();
    HttpEventHandler hasty = handler(url("/events"), null, Duration.ofMillis(300));
    RetriableTaskException later =
        catchThrowableOfType(RetriableTaskException.class, () -> hasty.handle(new Attempt()));
    assertThat(later.code()).isEqualTo("HTTP_HANDLER_TIMEOUT");
  }

  @Test
  void an_answer_that_drips_for_ever_counts_by_its_status() throws Exception {
    behaviour =
        exchange -> {
          exchange.sendResponseHeaders(200, 1_000_000);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          awaitQuietly();
        };
    HttpEventHandler hasty = handler(url("/events"), null, Duration.ofSeconds(5));
    long begun = System.nanoTime();
    var unused = hasty.handle(new Attempt());
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void an_endpoint_that_is_away_is_retried() {
    server.stop(0);
    RetriableTaskException later =
        catchThrowableOfType(
            RetriableTaskException.class, () -> handler(null).handle(new Attempt()));
    assertThat(later.code()).isEqualTo("HTTP_HANDLER_UNREACHABLE");
    assertThat(later.summary()).doesNotContain("127.0.0.1");
  }

  @Test
  void a_redirect_to_an_address_that_is_not_public_is_refused_unless_its_host_is_allowed()
      throws Exception {
    int port = server.getAddress().getPort();
    behaviour =
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/events")) {
            exchange
                .getResponseHeaders()
                .add("Location", "http://127.0.0.1:%d/elsewhere".formatted(port));
            exchange.sendResponseHeaders(307, -1);
          } else {
            exchange.sendResponseHeaders(200, -1);
          }
        };
    PermanentTaskException refused =
        catchThrowableOfType(
            PermanentTaskException.class, () -> handler(null).handle(new Attempt()));
    assertThat(refused.code()).isEqualTo("HTTP_HANDLER_REDIRECT_REFUSED");
    assertThat(calls).extracting(Call::path).containsExactly("/events");

    var unused = handler(SECRET, "127.0.0.1:" + port).handle(new Attempt());
    assertThat(calls).extracting(Call::path).containsExactly("/events", "/events", "/elsewhere");
    assertThat(calls.get(2).body()).isEqualTo(calls.get(1).body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://localhost/x", "http:///x", "not a url at all", "javascript:1"})
  void a_redirect_to_what_is_no_http_url_is_refused(String location) {
    behaviour =
        exchange -> {
          exchange.getResponseHeaders().add("Location", location);
          exchange.sendResponseHeaders(308, -1);
        };
    assertThatThrownBy(() -> handler(null).handle(new Attempt()))
        .isInstanceOfSatisfying(
            PermanentTaskException.class,
            refused -> assertThat(refused.code()).isEqualTo("HTTP_HANDLER_REDIRECT_REFUSED"));
  }

  @Test
  void a_redirect_without_end_is_given_up() {
    String here = "localhost:" + server.getAddress().getPort();
    behaviour =
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/again");
          exchange.sendResponseHeaders(307, -1);
        };
    assertThatThrownBy(() -> handler(null, here).handle(new Attempt()))
        .isInstanceOf(PermanentTaskException.class);
    assertThat(calls).hasSize(HttpEventHandler.MAX_REDIRECTS + 1);
  }

  @Test
  void a_certificate_that_nobody_vouches_for_is_refused_and_one_in_the_trust_store_is_taken()
      throws Exception {
    Path store = certificate();
    HttpsServer secure =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    secure.setHttpsConfigurator(new HttpsConfigurator(context(store)));
    serve(secure);
    URI url = URI.create("https://localhost:" + secure.getAddress().getPort() + "/events");
    try {
      RetriableTaskException refused =
          catchThrowableOfType(
              RetriableTaskException.class,
              () -> handler(url, null, Duration.ofSeconds(10)).handle(new Attempt()));
      assertThat(refused.code()).isEqualTo("HTTP_HANDLER_UNREACHABLE");
      assertThat(calls).isEmpty();
      System.setProperty("javax.net.ssl.trustStore", store.toString());
      System.setProperty("javax.net.ssl.trustStorePassword", new String(PASSWORD));
      var unused = handler(url, null, Duration.ofSeconds(10)).handle(new Attempt());
      assertThat(calls).hasSize(1);
    } finally {
      System.clearProperty("javax.net.ssl.trustStore");
      System.clearProperty("javax.net.ssl.trustStorePassword");
      secure.stop(0);
    }
  }

  @Test
  void handlers_are_read_from_the_configuration_and_bad_ones_are_named_without_their_secret() {
    String one = "onceward.worker.http-handler.billing.";
    List<HttpHandlerConfig> read =
        HttpHandlerConfig.from(
            Settings.of(
                Map.of(
                    "onceward.worker.http-handlers",
                    "billing",
                    one + "event-type",
                    "order.paid",
                    one + "aggregate-type",
                    "order",
                    one + "operation-kind",
                    "bill_order",
                    one + "url",
                    "https://billing.example.com/events",
                    one + "secret",
                    SECRET)));
    assertThat(read).hasSize(1);
    assertThat(read.get(0).type())
        .isEqualTo(new HandledType("order.paid", 1, "order", "bill_order"));
    assertThat(read.get(0).timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(read.toString()).doesNotContain(SECRET);

    Settings bad =
        Settings.of(
            Map.of(
                "onceward.worker.http-handlers",
                "billing,Not This",
                one + "url",
                "ftp://nowhere",
                one + "secret",
                "whsec_c2hvcnQ="));
    var unused = HttpHandlerConfig.from(bad);
    assertThatThrownBy(() -> bad.verify("onceward.worker"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Not This")
        .hasMessageContaining(one + "event-type")
        .hasMessageContaining(one + "url")
        .hasMessageContaining(one + "secret")
        .hasMessageNotContaining("c2hvcnQ");
  }

  private void awaitQuietly() {
    try {
      assertThat(mayAnswer.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  private Path certificate() throws Exception {
    Path store = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "endpoint",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    assertThat(new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .doesNotContain("error");
    assertThat(keytool.waitFor()).isZero();
    return store;
  }

  private static SSLContext context(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /** An attempt at one event. */
  private static final class Attempt implements TaskAttempt {

    private final UUID workspaceId = new UUID(0, 1);
    private final UUID eventId = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

    @Override
    public TaskEvent event() {
      return new TaskEvent(
          new Envelope(
              eventId,
              "order.paid",
              1,
              workspaceId,
              "order",
              "o-1",
              "order",
              "o-1",
              null,
              "request-1",
              null,
              Instant.ofEpochMilli(0x01890a5dac96L),
              RawJson.of("{\"cents\": 100}")),
          TRACE);
    }

    @Override
    public Operation operation() {
      Instant now = Instant.EPOCH;
      return new Operation(
          new UUID(0, 2),
          workspaceId,
          "bill_order",
          "order",
          "o-1",
          eventId,
          null,
          OperationState.RUNNING,
          1,
          8,
          "worker",
          now,
          null,
          null,
          null,
          null,
          now,
          now,
          null);
    }

    @Override
    public <T> T inWorkspace(Database.Work<T> work) {
      throw new UnsupportedOperationException("the handler needs no database");
    }

    @Override
    public boolean isOver() {
      return false;
    }
  }
}
