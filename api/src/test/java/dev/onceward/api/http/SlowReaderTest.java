package dev.onceward.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.TracerProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlowReaderTest {
  private static final int SIZE = 64 * 1024 * 1024;

  @Test
  void a_client_that_takes_its_answer_in_drops_loses_the_connection() throws Exception {
    String large = "x".repeat(SIZE);
    try (HttpServer server =
            HttpServer.start(
                new HttpOptions(
                    "127.0.0.1", 0, 1_000, Duration.ofSeconds(1), Duration.ofSeconds(5)),
                List.of(Route.open("/large", request -> new Answer(200, Map.of(), large))),
                authorization -> {
                  throw new IllegalStateException("an open route asks nobody");
                },
                new RateLimit(1_000, 1_000),
                new SimpleMeterRegistry(),
                TracerProvider.noop().get("test"));
        Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4_096);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      socket
          .getOutputStream()
          .write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      long[] seen = {0};
      // Reads steadily, so that the connection is never idle, until the server has had enough.
      await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                int read = readSome(in);
                seen[0] += Math.max(0, read);
                return read < 0;
              });

      assertThat(seen[0]).isPositive().isLessThan(SIZE);
    }
  }

  /** -1 at the end, however it comes. */
  private static int readSome(InputStream in) {
    try {
      return in.read(new byte[64 * 1024]);
    } catch (IOException e) {
      return -1;
    }
  }
}
