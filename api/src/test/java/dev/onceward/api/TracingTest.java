package dev.onceward.api;

import static dev.onceward.api.TestApi.newStoreBody;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class TracingTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  @Test
  void the_event_carries_the_requests_span_which_is_sent_to_the_collector(PostgresServer server)
      throws Exception {
    BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          received.add(exchange.getRequestBody().readAllBytes());
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try (MigratedDatabase database = MigratedDatabase.create(server)) {
      try (TestApi api =
          TestApi.start(
              database,
              Map.of(
                  "onceward.api.tracing-endpoint",
                  "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces"))) {
        api.newClient()
            .send(
                "POST",
                "/v1/stores",
                newStoreBody(),
                "Idempotency-Key",
                "k",
                "traceparent",
                "00-" + TRACE + "-" + PARENT + "-01")
            .expect(202);
      }

      String traceparent = traceparentOfTheEvent(database);
      assertThat(traceparent).startsWith("00-" + TRACE + "-").doesNotContain(PARENT);
      byte[] sent = received.poll(20, TimeUnit.SECONDS);
      assertThat(sent).as("what the collector got").isNotNull();
      byte[] span = HexFormat.of().parseHex(traceparent.substring(36, 52));
      assertThat(new String(sent, StandardCharsets.ISO_8859_1))
          .contains(new String(span, StandardCharsets.ISO_8859_1))
          .contains("POST /v1/stores");
    } finally {
      collector.stop(0);
    }
  }

  private static String traceparentOfTheEvent(MigratedDatabase database) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT traceparent FROM onceward.outbox_events")) {
      row.next();
      return row.getString(1);
    }
  }
}
