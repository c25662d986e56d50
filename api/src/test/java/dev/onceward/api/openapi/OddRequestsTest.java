package dev.onceward.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.api.openapi.OddRequests.OddRequest;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * No input gets a 5xx. {@code -Donceward.fuzz.requests} says how many requests are made in all
 * (100,000 for the whole proof), {@code -Donceward.fuzz.seed} repeats a run.
 */
@ExtendWith(InfrastructureExtension.class)
class OddRequestsTest {
  /** Codes of requests that got no further than authentication and parsing. */
  private static final Set<String> EARLY =
      Set.of(
          "UNAUTHENTICATED",
          "REQUEST_INVALID",
          "HEADER_INVALID",
          "NOT_ACCEPTABLE",
          "UNSUPPORTED_MEDIA_TYPE",
          "BODY_REQUIRED",
          "JSON_MALFORMED",
          "JSON_DUPLICATE_MEMBER",
          "JSON_UNPAIRED_SURROGATE",
          "JSON_NUL_CHARACTER",
          "JSON_TOO_DEEP");

  private static final int THREADS = 6;

  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();

  @Test
  void no_input_gets_a_server_error(PostgresServer server) throws Exception {
    int requests = Integer.getInteger("onceward.fuzz.requests", 6_000);
    long seed = Long.getLong("onceward.fuzz.seed", System.nanoTime());
    System.out.println("onceward.fuzz.seed=" + seed);
    try (MigratedDatabase database = MigratedDatabase.create(server);
        TestApi api =
            TestApi.start(
                database,
                Map.of(
                    "onceward.api.rate-limit-per-second", "1000000",
                    "onceward.api.rate-limit-burst", "1000000"))) {
      Tenant tenant = database.newTenant();
      TestClient client = api.client(tenant);
      ApiDescription description =
          ApiDescription.parse(client.get("/openapi.yaml").expect(200).body());
      List<DescribedCall> calls = new ArrayList<>(description.calls().values());
      List<String> ids = resources(new DescribedClient(description, client));
      Map<String, Integer> perRoute = new ConcurrentHashMap<>();

      JqwikSession.start();
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try {
        OddRequests odd = new OddRequests(ids);
        int each = (requests + calls.size() - 1) / calls.size();
        Random random = new Random(seed);
        for (DescribedCall call : calls) {
          RandomGenerator<OddRequest> generator = odd.of(call).generator(1000, true);
          List<Future<?>> waiting = new ArrayList<>();
          for (int i = 0; i < each; i++) {
            OddRequest request = generator.next(random).value();
            waiting.add(threads.submit(() -> check(client, request)));
          }
          for (Future<?> one : waiting) {
            one.get();
          }
          perRoute.merge(call.id(), each, Integer::sum);
        }
      } finally {
        threads.shutdownNow();
        JqwikSession.finish();
      }
      System.out.println(
          sent + " requests, " + late + " past authentication and parsing, per route " + perRoute);
      assertThat(late.get()).isGreaterThan(sent.get() / 2);
      client.get("/v1/stores").expect(200);
    }
  }

  private void check(TestClient client, OddRequest request) {
    String[] headers = request.headers().toArray(String[]::new);
    // Strict: no connection ends without an answer, and none is reused that the server ended.
    Reply reply = client.send(request.call().method(), request.target(), request.body(), headers);
    String shown = request + " got " + reply.status() + " " + reply.body();
    assertThat(reply.status()).as(shown).isLessThan(500);
    if (reply.status() >= 400) {
      assertThat(reply.header("Content-Type")).as(shown).isEqualTo("application/problem+json");
      assertThat(reply.code()).as(shown).isNotEmpty();
    }
    sent.incrementAndGet();
    if (reply.status() < 400 || !EARLY.contains(reply.code())) {
      late.incrementAndGet();
    }
  }

  /** Makes one resource of each kind. */
  private static List<String> resources(DescribedClient client) {
    String store = client.call("createStore").at("/store/id").asText();
    ObjectNode content = client.example("createDraft");
    content.put("store_id", store);
    return List.of(
        store,
        client.call("createDraft", content).get("id").asText(),
        client.call("registerMedia").get("id").asText(),
        client.call("startRun").get("run_id").asText(),
        client.call("createHook").at("/hook/id").asText(),
        client.call("createUser").get("id").asText(),
        client.call("createAccessKey").get("key_id").asText());
  }
}
