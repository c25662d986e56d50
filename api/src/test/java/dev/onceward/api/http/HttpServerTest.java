package dev.onceward.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.workspace.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.TracerProvider;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server alone, with routes that fail in every way. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpServerTest {
  private final HttpServer server =
      HttpServer.start(
          new HttpOptions("127.0.0.1", 0, 1_000, Duration.ofSeconds(60), Duration.ofSeconds(5)),
          List.of(
              Route.get("/defect", request -> failDefect()),
              Route.get("/error", request -> failError()),
              Route.get("/sql/{id}", request -> failSql(request)),
              Route.getLater(
                  "/later",
                  request -> CompletableFuture.failedFuture(new SQLException("marker", "08006"))),
              Route.get(
                  "/things/{id}",
                  request -> new Answer(200, Map.of(), request.path() + request.id("thing")))),
          authorization -> new Caller(UUID.randomUUID(), UUID.randomUUID(), "key", Role.MEMBER),
          new RateLimit(1_000, 1_000),
          new SimpleMeterRegistry(),
          TracerProvider.noop().get("test"));
  private final TestClient client = new TestClient(server.port(), "any");

  private static Answer failDefect() {
    throw new IllegalStateException("marker");
  }

  private static Answer failError() {
    throw new StackOverflowError("marker");
  }

  private static Answer failSql(Request request) throws SQLException {
    String path = request.path();
    throw new SQLException("marker", path.substring(path.lastIndexOf('/') + 1));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/defect", "/error"})
  void a_defect_of_ours_is_a_problem_without_its_words(String path) {
    Reply reply = client.get(path).expectProblem(500, "INTERNAL_ERROR");
    assertThat(reply.body()).doesNotContain("marker").doesNotContain("Exception");
  }

  @ParameterizedTest
  @CsvSource({
    "08006, 503, DATABASE_UNAVAILABLE",
    "57P01, 503, DATABASE_UNAVAILABLE",
    "53300, 503, DATABASE_UNAVAILABLE",
    "53100, 503, DATABASE_UNAVAILABLE",
    "25006, 503, DATABASE_UNAVAILABLE",
    "57014, 503, DATABASE_TIMEOUT",
    "55P03, 503, DATABASE_TIMEOUT",
    "40P01, 503, DATABASE_TIMEOUT",
    "23514, 500, INTERNAL_ERROR",
    "42501, 500, INTERNAL_ERROR",
    "X, 500, INTERNAL_ERROR"
  })
  void a_failure_of_the_database_is_told_by_its_sqlstate(String state, int status, String code) {
    Reply reply = client.get("/sql/" + state).expectProblem(status, code);
    assertThat(reply.body()).doesNotContain("marker");
    assertThat(reply.header("Retry-After") != null).isEqualTo(status == 503);
  }

  @Test
  void a_failure_that_comes_later_is_told_alike() {
    client.get("/later").expectProblem(503, "DATABASE_UNAVAILABLE");
  }

  @Test
  void one_resource_has_one_path() {
    String id = "0197a000-0000-7000-8000-00000000000a";
    String path = "/things/" + id;
    assertThat(client.get(path).expect(200).body()).isEqualTo(path + id);
    assertThat(client.get(path.replace("a", "%61").replace("-", "%2d")).expect(200).body())
        .isEqualTo(path + id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/things/%00",
        "/things/%ff",
        "/things/%C0%80",
        "/things/;a=b",
        "/things/a;b",
        "/things/%7Bid%7D",
        "/things/{id}",
        "/things/a/b",
        "/things/a%20b",
        "/things/..",
        "/things/%2e%2e",
        "/%2e/things/x",
        "/things/a\\b",
        "/things/<>",
        "/things?x",
        "*",
        "/things/%E2%80%AE",
        "/things/x?%",
        "/things/x?a=%zz",
        "http://other/things/x",
        "//things/x"
      })
  void no_odd_target_is_a_failure_of_ours(String target) throws Exception {
    String answer =
        RawHttp.exchange(
            server.port(),
            "GET "
                + target
                + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: x\r\n\r\n");
    assertThat(answer)
        .matches("(?s)HTTP/1\\.1 4\\d\\d .*")
        .containsIgnoringCase("content-type: application/problem+json");
  }
}
