package dev.onceward.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HealthEndpointTest {
  private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();

  private final HealthChecks checks = new HealthChecks();
  private final HealthEndpoint endpoint =
      HealthEndpoint.start(
          LOOPBACK, 0, "onceward.a.health-port", checks, ProcessMetrics.registry("test"));

  @AfterEach
  void close() {
    endpoint.close();
  }

  @Test
  void ready_is_200_without_reasons_while_all_is_well() throws Exception {
    checks.register(check("kafka", () -> Health.up().with("lagSeconds", 3)));

    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(answer.body())
        .isEqualTo(
            "{\"status\":\"UP\",\"reasons\":[],\"checks\":{\"kafka\":{\"status\":\"UP\",\"lagSeconds\":3}}}");
    assertThat(probe(uri("/health/ready"))).isTrue();
  }

  @Test
  void ready_is_503_with_every_reason_while_one_part_is_down() throws Exception {
    checks.register(check("slot", Health::up));
    checks.register(check("kafka", () -> Health.down("no broker answers at \"k:9092\"")));
    checks.register(
        check(
            "audit",
            () -> {
              throw new IllegalStateException("secret text");
            }));

    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body())
        .startsWith(
            "{\"status\":\"DOWN\",\"reasons\":[\"audit: the check itself failed with"
                + " IllegalStateException\",\"kafka: no broker answers at \\\"k:9092\\\"\"]")
        .doesNotContain("secret text");
    assertThat(probe(uri("/health/ready"))).isFalse();
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void paused_is_not_a_failure() throws Exception {
    checks.register(check("relay", () -> Health.paused("paused by an operator")));
    checks.register(check("slot", Health::up));

    HttpResponse<String> answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"status\":\"PAUSED\"", "relay: paused by an operator");
  }

  @Test
  void a_check_that_hangs_makes_ready_down_and_leaves_live_answering() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    checks.register(
        check(
            "stuck",
            () -> {
              inside.countDown();
              try {
                release.await();
              } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
              }
              return Health.up();
            }));
    var first =
        HttpClient.newHttpClient()
            .sendAsync(request("/health/ready", "GET"), HttpResponse.BodyHandlers.ofString());
    inside.await();

    HttpResponse<String> second = get("/health/ready");

    assertThat(second.statusCode()).isEqualTo(503);
    assertThat(second.body()).contains("a health check hangs");
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    release.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
  }

  @Test
  void metrics_are_prometheus_text_with_the_name_of_the_process() throws Exception {
    HttpResponse<String> answer = get("/metrics");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
    assertThat(answer.body())
        .containsPattern("(?m)^jvm_memory_used_bytes\\{.*process=\"test\".*} [0-9.E]+$");
  }

  @Test
  void other_paths_and_methods_are_refused() throws Exception {
    assertThat(get("/health/liveness").statusCode()).isEqualTo(404);
    HttpResponse<String> post = send(request("/health/live", "POST"));
    assertThat(post.statusCode()).isEqualTo(405);
    assertThat(post.headers().firstValue("Allow")).hasValue("GET, HEAD");
    assertThat(send(request("/health/live", "HEAD")).statusCode()).isEqualTo(200);
  }

  @Test
  void a_taken_port_is_reported_with_the_setting_that_names_it() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      StartupException failure =
          catchThrowableOfType(
              StartupException.class,
              () ->
                  HealthEndpoint.start(
                      LOOPBACK,
                      taken.getLocalPort(),
                      "onceward.a.health-port",
                      checks,
                      ProcessMetrics.registry("test")));

      assertThat(failure.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(failure).hasMessageContaining(LOOPBACK + ":" + taken.getLocalPort());
      assertThat(failure.remedy()).contains("ONCEWARD_A_HEALTH_PORT");
    }
  }

  @Test
  void a_probe_of_nobody_is_a_failure() throws Exception {
    endpoint.close();

    assertThat(probe(uri("/health/ready"))).isFalse();
  }

  /** As the images do it. */
  private static boolean probe(URI address) throws Exception {
    return new ProcessBuilder("bash", "src/main/docker/probe", address.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  private static HealthCheck check(String name, Supplier<Health> state) {
    return new HealthCheck() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Health check() {
        return state.get();
      }
    };
  }

  private URI uri(String path) {
    return URI.create("http://" + LOOPBACK + ":" + endpoint.port() + path);
  }

  private HttpRequest request(String path, String method) {
    return HttpRequest.newBuilder(uri(path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .build();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send(request(path, "GET"));
  }

  private static HttpResponse<String> send(HttpRequest request) throws Exception {
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }
}
