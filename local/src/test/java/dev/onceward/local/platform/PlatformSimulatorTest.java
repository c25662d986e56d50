package dev.onceward.local.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.onceward.local.platform.PlatformCall.Fate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PlatformSimulatorTest {

  private static final String CREDENTIALS =
      "{\"platform\":\"shopline\",\"external_id\":\"shop-42\",\"credentials\":{\"app_secret\":\"s\"}}";

  private final HttpClient client = HttpClient.newHttpClient();
  private PlatformSimulator platform;

  @BeforeEach
  void start() throws IOException {
    platform =
        PlatformSimulator.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            PlatformBehaviour.NORMAL,
            7);
  }

  @AfterEach
  void stop() {
    platform.close();
  }

  @Test
  void one_call_is_one_effect_and_is_answered() throws Exception {
    HttpResponse<String> answer = verify("key-1");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"valid\":true")
        .contains("\"account_name\":\"shopline/shop-42\"");
    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(1, 1, 1, 0, 0));
    assertThat(platform.ledger().calls("key-1"))
        .singleElement()
        .satisfies(call -> assertThat(call.fate()).isEqualTo(Fate.ANSWERED));
  }

  @Test
  void credentials_that_begin_with_invalid_are_answered_as_not_valid() throws Exception {
    HttpResponse<String> answer = post("key-1", CREDENTIALS.replace("\"s\"", "\"invalid-secret\""));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"valid\":false");
  }

  @Test
  void parallel_calls_with_one_key_are_all_counted_but_have_one_effect() {
    List<CompletableFuture<Integer>> calls =
        IntStream.range(0, 20).mapToObj(number -> verifyLater("same")).toList();

    assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo(200));
    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(1, 20, 1, 0, 0));
  }

  @Test
  void without_key_support_each_call_is_an_effect() throws Exception {
    platform.behave(PlatformBehaviour.NORMAL.withoutKeySupport());

    verify("same");
    verify("same");

    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(1, 2, 2, 0, 0));
  }

  @Test
  void a_lost_answer_has_its_effect_and_the_next_call_gets_the_answer() throws Exception {
    platform.behave(PlatformBehaviour.NORMAL.withLostAnswers(1.0));
    assertThatThrownBy(() -> verify("key-1")).isInstanceOf(IOException.class);
    platform.behave(PlatformBehaviour.NORMAL);

    assertThat(verify("key-1").statusCode()).isEqualTo(200);

    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(1, 2, 1, 1, 0));
    assertThat(platform.ledger().calls("key-1"))
        .extracting(PlatformCall::fate, PlatformCall::effect)
        .containsExactly(tuple(Fate.ANSWER_LOST, true), tuple(Fate.ANSWERED, false));
  }

  @Test
  void a_failing_platform_refuses_without_an_effect() throws Exception {
    platform.behave(PlatformBehaviour.NORMAL.withFailures(1.0, 429));

    assertThat(verify("key-1").statusCode()).isEqualTo(429);

    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(1, 1, 0, 0, 1));
  }

  @Test
  void shares_are_drawn_per_call() throws Exception {
    platform.behave(PlatformBehaviour.NORMAL.withFailures(0.5, 503));

    for (int number = 0; number < 200; number++) {
      verify("key-" + number);
    }

    PlatformCounts counts = platform.ledger().counts();
    assertThat(counts.failures()).isBetween(60L, 140L);
    assertThat(counts.effects()).isEqualTo(200 - counts.failures());
  }

  @Test
  void latency_is_spent_before_the_answer() throws Exception {
    platform.behave(PlatformBehaviour.NORMAL.withLatency(Duration.ofMillis(120)));
    long before = System.nanoTime();

    verify("key-1");

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(119));
  }

  @Test
  void a_listing_is_one_effect_per_key_and_needs_valid_credentials() throws Exception {
    String listing = CREDENTIALS.replace("}}", "},\"listing\":{\"title\":\"Tee\"}}");

    HttpResponse<String> first = post("/v1/listings", "key-1", listing);
    HttpResponse<String> again = post("/v1/listings", "key-1", listing);
    HttpResponse<String> refused =
        post("/v1/listings", "key-2", listing.replace("\"s\"", "\"invalid\""));

    assertThat(first.body()).contains("\"listing_id\":\"listing-").isEqualTo(again.body());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(post("/v1/listings", "key-3", CREDENTIALS).statusCode()).isEqualTo(400);
    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(3, 4, 1, 0, 0));
    assertThat(platform.ledger().effects("key-1")).isOne();
  }

  @Test
  void product_pages_are_calls_without_effect_and_lead_on_to_the_last() throws Exception {
    String shop = CREDENTIALS.replace("shop-42", "shop-p5").replace("}}", "},\"limit\":2%s}");

    String first = post("/v1/product-pages", "key-1", shop.formatted("")).body();
    String last = post("/v1/product-pages", "key-1", shop.formatted(",\"cursor\":\"4\"")).body();

    assertThat(first).contains("product-0", "product-1", "\"next_cursor\":\"2\"");
    assertThat(first).doesNotContain("product-2");
    assertThat(last).contains("product-4").doesNotContain("next_cursor");
    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(1, 2, 0, 0, 0));
  }

  @Test
  void an_ai_task_is_one_effect_per_key_and_the_same_question_has_the_same_answer()
      throws Exception {
    String task = "{\"kind\":\"text\",\"input\":{\"prompt\":\"tea\"}}";

    String first = post("/v1/ai-tasks", "key-1", task).body();
    String again = post("/v1/ai-tasks", "key-2", task).body();

    assertThat(first).isEqualTo("{\"output\":{\"text\":\"A text about tea\"}}").isEqualTo(again);
    assertThat(post("/v1/ai-tasks", "key-3", task.replace("text", "video")).statusCode())
        .isEqualTo(400);
    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(3, 3, 2, 0, 0));
  }

  @Test
  void malformed_calls_are_4xx_without_an_effect() throws Exception {
    assertThat(post("key-1", "{").statusCode()).isEqualTo(400);
    assertThat(post("key-2", "{\"platform\":\"p\"}").statusCode()).isEqualTo(400);
    assertThat(post("key-3", "\"" + "x".repeat(70_000) + "\"").statusCode()).isEqualTo(400);
    assertThat(send(request("/v1/credential-verifications").POST(body(CREDENTIALS))).statusCode())
        .isEqualTo(400);
    assertThat(send(request("/v1/credential-verifications").GET()).statusCode()).isEqualTo(405);

    assertThat(platform.ledger().counts()).isEqualTo(new PlatformCounts(3, 3, 0, 0, 0));
  }

  @Test
  void the_books_can_be_read_and_emptied_over_http() throws Exception {
    verify("key-1");
    verify("key-1");

    assertThat(send(request("/v1/simulator/counts").GET()).body())
        .isEqualTo(
            "{\"keys\":1,\"calls\":2,\"effects\":1,\"extra_calls\":1,"
                + "\"lost_answers\":0,\"failures\":0}");
    assertThat(send(request("/v1/simulator/keys/key-1").GET()).body())
        .contains("\"effects\":1")
        .contains("\"fate\":\"ANSWERED\"");
    assertThat(send(request("/v1/simulator/keys/unknown").GET()).statusCode()).isEqualTo(404);
    assertThat(send(request("/v1/simulator/keys").DELETE()).body()).contains("\"calls\":0");
    assertThat(send(request("/health/ready").GET()).statusCode()).isEqualTo(200);
  }

  @Test
  void behaviour_outside_its_range_is_refused_by_name() {
    assertThatThrownBy(() -> PlatformBehaviour.NORMAL.withLostAnswers(1.5))
        .hasMessageContaining("lost answer share is 1.5");
    assertThatThrownBy(() -> PlatformBehaviour.NORMAL.withFailures(Double.NaN, 503))
        .hasMessageContaining("failure share is NaN");
    assertThatThrownBy(() -> PlatformBehaviour.NORMAL.withFailures(0.1, 404))
        .hasMessageContaining("failure status is 404");
    assertThatThrownBy(() -> PlatformBehaviour.NORMAL.withLatency(Duration.ofMillis(-1)))
        .hasMessageContaining("must not be negative");
  }

  private HttpResponse<String> verify(String key) throws IOException, InterruptedException {
    return post(key, CREDENTIALS);
  }

  private CompletableFuture<Integer> verifyLater(String key) {
    return client
        .sendAsync(
            request("/v1/credential-verifications")
                .header("Idempotency-Key", key)
                .POST(body(CREDENTIALS))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .thenApply(HttpResponse::statusCode);
  }

  private HttpResponse<String> post(String key, String json)
      throws IOException, InterruptedException {
    return post("/v1/credential-verifications", key, json);
  }

  private HttpResponse<String> post(String path, String key, String json)
      throws IOException, InterruptedException {
    return send(request(path).header("Idempotency-Key", key).POST(body(json)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(platform.url().resolve(path));
  }

  private static HttpRequest.BodyPublisher body(String json) {
    return HttpRequest.BodyPublishers.ofString(json);
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
