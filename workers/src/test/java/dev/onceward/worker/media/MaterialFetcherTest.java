package dev.onceward.worker.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.onceward.db.media.SpooledContent;
import dev.onceward.worker.handle.MaterialRules;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MaterialFetcherTest {

  private static final int MAX = 100_000;
  private static final String HOST = "materials.test";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger lookUps = new AtomicInteger();
  private HttpServer server;
  private int port;
  private MaterialFetcher fetcher;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    port = server.getAddress().getPort();
    fetcher =
        new MaterialFetcher(
            new MaterialRules(MAX, Duration.ofSeconds(2), Set.of(HOST + ":" + port)),
            this::resolve);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.stop(0);
    threads.shutdownNow();
  }

  /** The first look-up gives the server's address, every later one nothing that answers. */
  private InetAddress[] resolve(String host) throws UnknownHostException {
    if (!host.equals(HOST)) {
      return host.equals("unknown.test")
          ? unknown(host)
          : InetAddress.getAllByName(host.replace("private.test", "10.0.0.1"));
    }
    byte[] address = {127, 0, 0, (byte) (lookUps.incrementAndGet() == 1 ? 1 : 99)};
    return new InetAddress[] {InetAddress.getByAddress(address)};
  }

  private static InetAddress[] unknown(String host) throws UnknownHostException {
    throw new UnknownHostException(host);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(
          exchange.getRequestURI().getPath()
              + " "
              + exchange.getRequestHeaders().getFirst("Host")
              + " "
              + exchange.getRequestHeaders().getFirst("Accept-Encoding"));
      String path = exchange.getRequestURI().getPath();
      String query = exchange.getRequestURI().getQuery();
      byte[] body = new byte[path.equals("/large") ? MAX + 1 : 1_000];
      switch (path) {
        case "/status" -> {
          exchange.getResponseHeaders().set("Retry-After", "7");
          exchange.sendResponseHeaders(Integer.parseInt(query), -1);
        }
        case "/redirect" -> {
          exchange.getResponseHeaders().set("Location", query);
          exchange.sendResponseHeaders(302, -1);
        }
        case "/encoded" -> {
          exchange.getResponseHeaders().set("Content-Encoding", "gzip");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
        }
        case "/empty" -> exchange.sendResponseHeaders(200, -1);
        default -> {
          exchange.sendResponseHeaders(200, path.equals("/unknown-size") ? 0 : body.length);
          exchange.getResponseBody().write(body);
          if (path.equals("/unknown-size")) {
            exchange.getResponseBody().write(new byte[MAX]);
          }
        }
      }
    }
  }

  private String at(String path) {
    return "http://" + HOST + ":" + port + path;
  }

  private SpooledContent fetch(String url) throws Exception {
    return fetcher.fetch(URI.create(url), () -> false);
  }

  private String permanent(String url) {
    return code(PermanentTaskException.class, url);
  }

  private String retriable(String url) {
    return code(RetriableTaskException.class, url);
  }

  private <E extends TaskException> String code(Class<E> type, String url) {
    E failure = catchThrowableOfType(type, () -> fetch(url));
    assertThat(failure).as(url).isNotNull();
    assertThat(failure.summary()).doesNotContain(HOST).doesNotContain("127.0.0.1");
    return failure.code();
  }

  @Test
  void a_material_is_fetched_from_the_one_address_that_was_checked() throws Exception {
    try (SpooledContent content = fetch(at("/a"))) {
      assertThat(content.sizeBytes()).isEqualTo(1_000);
    }
    assertThat(lookUps).hasValue(1);
    assertThat(requests).containsExactly("/a " + HOST + ":" + port + " identity");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:%d/a",
        "http://localhost:%d/a",
        "http://[::1]:%d/a",
        "http://[::ffff:127.0.0.1]:%d/a",
        "http://2130706433:%d/a",
        "http://127.1:%d/a",
        "http://0.0.0.0:%d/a",
        "http://169.254.169.254/latest/meta-data",
        "http://private.test/a",
        "http://someone@materials.test:%d/a",
        "ftp://materials.test:%d/a",
        "file:///etc/passwd",
        "http:///a",
      })
  void an_address_that_is_not_public_is_not_called(String url) {
    assertThat(permanent(url.formatted(port))).isEqualTo("MATERIAL_ADDRESS_REFUSED");
    assertThat(requests).isEmpty();
  }

  @Test
  void a_host_is_allowed_on_its_port_only() {
    assertThat(permanent("http://" + HOST + ":" + (port + 1) + "/a"))
        .isEqualTo("MATERIAL_ADDRESS_REFUSED");
    assertThat(permanent("https://" + HOST + "/a")).isEqualTo("MATERIAL_ADDRESS_REFUSED");
  }

  @Test
  void one_private_address_among_public_ones_is_enough_to_refuse() {
    MaterialFetcher mixed =
        new MaterialFetcher(
            MaterialRules.DEFAULT,
            host ->
                new InetAddress[] {
                  InetAddress.getByAddress(new byte[] {1, 1, 1, 1}),
                  InetAddress.getLoopbackAddress()
                });
    PermanentTaskException refused =
        catchThrowableOfType(
            PermanentTaskException.class, () -> mixed.fetch(URI.create(at("/a")), () -> false));
    assertThat(refused.code()).isEqualTo("MATERIAL_ADDRESS_REFUSED");
    assertThat(requests).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:%d/a",
        "http://private.test/a",
        "http://169.254.169.254/latest/meta-data",
        "//127.0.0.1:%d/a",
        "ftp://materials.test/a",
        "file:///etc/passwd",
      })
  void a_redirect_is_checked_like_a_source(String target) {
    assertThat(permanent(at("/redirect?" + target.formatted(port))))
        .isEqualTo("MATERIAL_ADDRESS_REFUSED");
    assertThat(requests).hasSize(1);
  }

  @Test
  void a_redirect_is_resolved_anew_and_its_address_is_the_one_called() {
    // The second look-up leads elsewhere, and nobody listens there.
    assertThat(retriable(at("/redirect?/a"))).isEqualTo("MATERIAL_UNREACHABLE");
    assertThat(lookUps).hasValue(2);
    assertThat(requests).hasSize(1);
  }

  @Test
  void at_most_three_redirects_are_followed() throws Exception {
    lookUps.set(-10);
    MaterialFetcher steady =
        new MaterialFetcher(
            new MaterialRules(MAX, Duration.ofSeconds(5), Set.of(HOST + ":" + port)),
            host -> new InetAddress[] {InetAddress.getLoopbackAddress()});
    String three = at("/redirect?/redirect?/redirect?/a");
    steady.fetch(URI.create(three), () -> false).close();
    assertThat(requests).hasSize(4);
    PermanentTaskException refused =
        catchThrowableOfType(
            PermanentTaskException.class,
            () ->
                steady.fetch(
                    URI.create(at("/redirect?/redirect?/redirect?/redirect?/a")), () -> false));
    assertThat(refused.code()).isEqualTo("MATERIAL_REDIRECT_REFUSED");
    assertThat(requests).hasSize(8);
  }

  @ParameterizedTest
  @CsvSource({"/large", "/unknown-size"})
  void a_material_past_the_limit_is_refused(String path) {
    assertThat(permanent(at(path))).isEqualTo("MATERIAL_TOO_LARGE");
  }

  @ParameterizedTest
  @CsvSource({"400", "401", "403", "404", "410", "204", "206"})
  void an_answer_that_will_stay_is_permanent(int status) {
    assertThat(permanent(at("/status?" + status))).isEqualTo("MATERIAL_SOURCE_REFUSED");
  }

  @ParameterizedTest
  @CsvSource({"408", "429", "500", "502", "503"})
  void an_answer_that_may_pass_is_retriable_after_the_wait_that_it_names(int status) {
    RetriableTaskException later =
        catchThrowableOfType(RetriableTaskException.class, () -> fetch(at("/status?" + status)));
    assertThat(later.code()).isEqualTo("MATERIAL_SOURCE_UNAVAILABLE");
    assertThat(later.notBefore()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void contents_that_are_none_are_refused() {
    assertThat(permanent(at("/empty"))).isEqualTo("MATERIAL_EMPTY");
    lookUps.set(0);
    assertThat(permanent(at("/encoded"))).isEqualTo("MATERIAL_ENCODED");
  }

  @Test
  void a_host_that_is_not_known_now_may_be_later() {
    assertThat(retriable("http://unknown.test/a")).isEqualTo("MATERIAL_HOST_UNKNOWN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | MATERIAL_TIMEOUT",
        "HTTP/1.1 200 OK%nContent-Length: 10%n%nabc | MATERIAL_TIMEOUT",
      })
  void a_source_that_falls_silent_is_given_up_when_the_time_is_over(String said, String code)
      throws Exception {
    assertThat(retriableFromSocket(said, false)).isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK%nContent-Length: 10%n%nabc",
        "HTTP/1.1 200 OK%nTransfer-Encoding: chunked%n%nff%nabc",
        "nonsense%n%n",
      })
  void a_source_that_breaks_off_is_retriable(String said) throws Exception {
    assertThat(retriableFromSocket(said, true)).isEqualTo("MATERIAL_UNREACHABLE");
  }

  private String retriableFromSocket(String said, boolean close) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      threads.execute(() -> speak(listener, said, close));
      String pair = "127.0.0.1:" + listener.getLocalPort();
      MaterialFetcher patient =
          new MaterialFetcher(
              new MaterialRules(MAX, Duration.ofSeconds(1), Set.of(pair)),
              InetAddress::getAllByName);
      RetriableTaskException later =
          catchThrowableOfType(
              RetriableTaskException.class,
              () -> patient.fetch(URI.create("http://" + pair + "/a"), () -> false));
      return later.code();
    }
  }

  private void speak(ServerSocket listener, String said, boolean close) {
    try {
      Socket socket = listener.accept();
      sockets.add(socket);
      assertThat(socket.getInputStream().read(new byte[10_000])).isPositive();
      socket
          .getOutputStream()
          .write(said.replace("%n", "\r\n").getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      if (close) {
        socket.close();
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  @Test
  void nobody_fetches_on_for_an_attempt_that_is_over() {
    assertThat(
            catchThrowableOfType(
                InterruptedException.class, () -> fetcher.fetch(URI.create(at("/a")), () -> true)))
        .isNotNull();
  }
}
