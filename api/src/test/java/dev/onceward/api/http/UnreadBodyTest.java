package dev.onceward.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.workspace.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.TracerProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a connection whose request had a body that nobody read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnreadBodyTest {
  private static final int MAX_BODY = 1_000;
  private static final String SECOND = "GET /reads HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\n\r\n";

  private final HttpServer server =
      HttpServer.start(
          new HttpOptions("127.0.0.1", 0, MAX_BODY, Duration.ofSeconds(20), Duration.ofSeconds(5)),
          List.of(
              Route.get("/reads", request -> new Answer(200, Map.of(), "read")),
              Route.act("/acts", request -> new Answer(200, Map.of(), "done")),
              Route.write("POST", "/writes", request -> new Answer(200, Map.of(), "written")),
              Route.upload("PUT", "/files", request -> new Answer(200, Map.of(), "ignored"))),
          authorization -> new Caller(UUID.randomUUID(), UUID.randomUUID(), "key", Role.MEMBER),
          new RateLimit(1_000, 1_000),
          new SimpleMeterRegistry(),
          TracerProvider.noop().get("test"));

  @AfterAll
  void stop() {
    server.close();
  }

  /** The body comes when its answer could have gone long ago, and the connection lives on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /reads",
        "POST /acts",
        "POST /writes",
        "PUT /files",
        "GET /nothing",
        "POST /reads"
      })
  void a_small_body_that_nobody_reads_ends_no_connection(String call) throws Exception {
    try (Socket socket = connect()) {
      send(socket, head(call, "Content-Length: 10", "Content-Type: text/plain"));
      send(socket, "0123456789");
      assertThat(answer(socket)).startsWith("HTTP/1.1 ").doesNotContainIgnoringCase("connection:");

      send(socket, SECOND);

      assertThat(answer(socket)).startsWith("HTTP/1.1 200");
    }
  }

  /** However odd a request is, its answer tells whether the next one may follow it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /writes%00",
        "POST /writes%2Fx",
        "POST /writes%5C",
        "POST /writes%0B%16",
        "POST /writes?x=%00",
        "POST /writes?%",
        "POST /writes%",
        "POST /%2e%2e/x",
        "POST /writes;a=b",
        "POST /writes%25",
        "PATCH /writes",
        "FOO /writes",
        "OPTIONS /writes"
      })
  void an_answer_tells_whether_its_connection_lives_on(String call) throws Exception {
    try (Socket socket = connect()) {
      send(socket, head(call, "Content-Length: 10", "Content-Type: application/json"));
      send(socket, "0123456789");
      String first = answer(socket);
      assertThat(first).matches("(?s)HTTP/1\\.1 [245].*");
      if (!first.toLowerCase(java.util.Locale.ROOT).contains("\r\nconnection: close\r\n")) {
        send(socket, SECOND);
        assertThat(answer(socket)).startsWith("HTTP/1.1 200");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET /reads, Content-Length: 100000, 200",
    "GET /nothing, Content-Length: 100000, 404",
    "POST /writes, Content-Length: 100000, 413",
    "POST /acts, Transfer-Encoding: chunked, 200",
    "POST /acts, Content-Length: 100000, 200",
    "PUT /files, Content-Length: 100000, 200"
  })
  void a_body_that_is_not_waited_for_ends_the_connection_and_the_answer_says_so(
      String call, String length, int status) throws Exception {
    try (Socket socket = connect()) {
      send(socket, head(call, length, "Content-Type: application/json"));

      assertThat(answer(socket))
          .startsWith("HTTP/1.1 " + status)
          .containsIgnoringCase("\r\nconnection: close\r\n");
    }
  }

  @Test
  void a_client_that_waits_for_100_continue_gets_its_answer_instead() throws Exception {
    try (Socket socket = connect()) {
      send(
          socket,
          head("POST /writes", "Content-Length: 10", "Expect: 100-continue\r\nContent-Type: a/b"));

      assertThat(answer(socket))
          .startsWith("HTTP/1.1 415")
          .containsIgnoringCase("\r\nconnection: close\r\n");
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(10_000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static String head(String call, String length, String more) {
    return call
        + " HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\n"
        + length
        + "\r\n"
        + more
        + "\r\n\r\n";
  }

  private static void send(Socket socket, String latin1) throws IOException {
    socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** One answer with a Content-Length. */
  private static String answer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the connection ended after: " + head);
      }
      head.write(next);
    }
    String text = head.toString(StandardCharsets.ISO_8859_1);
    int length =
        text.lines()
            .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(0);
    return text + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
