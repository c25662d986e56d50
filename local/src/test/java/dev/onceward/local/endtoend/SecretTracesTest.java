package dev.onceward.local.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.cluster.Service;
import dev.onceward.local.platform.PlatformBehaviour;
import dev.onceward.process.Secret;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Secrets that can be recognised go through the whole pipeline, on its good ways and on its bad
 * ones; afterwards everything that comes out of it is searched for them.
 */
@ExtendWith(ClusterExtension.class)
@Timeout(180)
final class SecretTracesTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** A topic of which no other test wants that its records be events. */
  private static final String TASKS = "ai_task";

  @TempDir private Path directory;
  private final String name = "traces-" + UUID.randomUUID();
  private final HttpClient http = HttpClient.newHttpClient();
  private LocalCluster cluster;
  private ApiClient client;
  private Traces traces;

  @BeforeEach
  void connect(LocalCluster shared) throws Exception {
    cluster = shared;
    client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), LIMIT);
    traces = new Traces(cluster);
  }

  @Test
  void no_secret_is_left_anywhere_but_where_it_is_kept() throws Exception {
    String credential = traces.secret("a credential", "credential-marker-");
    String replaced = traces.secret("a replaced credential", "credential-marker-");
    String inEvent = traces.content("a prompt", "prompt-marker-");
    traces.known("the access key", cluster.access().accessKey().reveal());

    // The good ways.
    ApiAnswer store = client.post("/v1/stores", name, storeBody(credential));
    assertThat(store.status()).as("%s", store.text()).isEqualTo(202);
    awaitFinal(store);
    cluster.platform().behave(PlatformBehaviour.NORMAL.withFailures(1.0, 503));
    ApiAnswer again =
        client.put(
            "/v1/stores/" + store.json().at("/store/id").asText() + "/credentials",
            name + "-2",
            "{\"credentials\":{\"app_secret\":\"" + replaced + "\"}}");
    assertThat(again.status()).as("%s", again.text()).isEqualTo(202);
    await().atMost(LIMIT).until(() -> operation(again).has("last_error"));
    cluster.platform().behave(PlatformBehaviour.NORMAL);
    ApiAnswer task =
        client.post("/v1/ai-tasks", name + "-3", aiTask("\"prompt\":\"" + inEvent + "\""));
    assertThat(task.status()).as("%s", task.text()).isEqualTo(202);
    awaitFinal(task);
    ApiAnswer hook =
        client.post(
            "/v1/hooks", name + "-4", "{\"name\":\"h\",\"action\":{\"type\":\"resolve_todo\"}}");
    assertThat(hook.status()).as("%s", hook.text()).isEqualTo(201);
    traces.known("a hook's secret", hook.json().path("secret").asText());
    ApiAnswer key = client.post("/v1/access-keys", name + "-5", "{\"name\":\"k\"}");
    assertThat(key.status()).as("%s", key.text()).isEqualTo(201);
    traces.known("a new access key", key.json().path("access_key").asText());

    refusals(hook);
    commands();
    for (Service service : List.of(cluster.api(), cluster.relay(), cluster.workers())) {
      traces.said("metrics of " + service.name(), get(service, "/metrics"));
      traces.said("health of " + service.name(), get(service, "/health/ready"));
    }

    assertThat(traces.inWhatWasKept(inEvent))
        .as("the search itself finds what is there")
        .contains("table ai_tasks");
    assertThat(traces.found()).isEmpty();
  }

  /** What is refused, with a secret where none belongs. */
  private void refusals(ApiAnswer hook) throws Exception {
    String refused = traces.secret("a refused secret", "refused-marker-");
    String query = traces.secret("a secret in a query", "query-marker-");
    List<ApiAnswer> answers = new ArrayList<>();
    answers.add(client.post("/v1/stores", name + "-r1", storeBody(refused)));
    answers.add(client.post("/v1/stores", name, storeBody(refused)));
    answers.add(client.post("/v1/stores", name + "-r2", storeBody(refused) + refused));
    answers.add(client.post("/v1/stores", name + "-r3", "{\"" + refused + "\":\"" + refused));
    answers.add(
        client.post(
            "/v1/stores", name + "-r4", "{\"platform\":5,\"credentials\":\"" + refused + "\"}"));
    answers.add(
        client.post("/v1/ai-tasks", name + "-r5", aiTask("\"password\":\"" + refused + "\"")));
    answers.add(client.get("/v1/stores?access_token=" + query));
    answers.add(client.get("/v1/operations/" + UUID.randomUUID() + "?wait=" + query));
    Secret wrong = new Secret("ow_abcdefghijkl_" + refused + "0123456789012345678901234567890");
    answers.add(new ApiClient(cluster.apiUrl(), wrong, LIMIT).get("/v1/stores"));
    for (ApiAnswer answer : answers) {
      assertThat(answer.status()).as("%s", answer.text()).isBetween(400, 499);
      traces.said("an answer " + answer.status(), answer.text());
    }
    HttpResponse<String> delivery =
        http.send(
            HttpRequest.newBuilder(cluster.apiUrl().resolve(hook.json().at("/hook/path").asText()))
                .header("Content-Type", "application/json")
                .header("webhook-id", name)
                .header("webhook-timestamp", "1")
                .header("webhook-signature", "v1," + refused)
                .POST(HttpRequest.BodyPublishers.ofString("{\"data\":\"" + refused + "\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(delivery.statusCode()).isBetween(400, 499);
    traces.said("an answer to a delivery", delivery.body());
    String unreadable = traces.content("an unreadable record", "record-marker-");
    sendWhatNobodyCanRead(unreadable);
    String deadLetters = cluster.topic(TASKS) + "-dead-letter";
    await().atMost(LIMIT).until(() -> traces.topic(deadLetters).contains(unreadable));
  }

  private void sendWhatNobodyCanRead(String value) throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", cluster.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      producer
          .send(new ProducerRecord<>(cluster.topic(TASKS), UUID.randomUUID().toString(), value))
          .get();
    }
  }

  private void commands() throws Exception {
    String workspace = cluster.access().workspaceId().toString();
    Map<String, ChildProcess> running = new LinkedHashMap<>();
    try {
      for (String command :
          List.of(
              "doctor --output json",
              "events list --output json --workspace " + workspace,
              "keys list --output json --workspace " + workspace,
              "hooks list --output json --workspace " + workspace,
              "dead-letters list --output json")) {
        running.put(command, start(command));
      }
      for (Map.Entry<String, ChildProcess> command : running.entrySet()) {
        assertThat(command.getValue().awaitExit(LIMIT)).isTrue();
        String said = Files.readString(output(command.getKey()));
        assertThat(said).as(command.getKey()).isNotBlank();
        traces.said("onceward " + command.getKey(), said);
      }
    } finally {
      running.values().forEach(ChildProcess::close);
    }
  }

  private ChildProcess start(String command) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of("--config", cluster.opsConfig().toString()));
    return ChildCommand.java(
            "onceward",
            "dev.onceward.ops.OncewardMain",
            List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"),
            arguments)
        .withOutput(output(command))
        .start();
  }

  private Path output(String command) {
    return directory.resolve(command.substring(0, command.indexOf(' ')) + ".log");
  }

  private void awaitFinal(ApiAnswer answer) {
    await()
        .atMost(LIMIT)
        .until(() -> operation(answer).path("state").asText().matches("succeeded|failed|dead"));
  }

  private JsonNode operation(ApiAnswer answer) throws Exception {
    ApiAnswer operation = client.operation(answer.operationId(), Duration.ofSeconds(2));
    traces.said("an operation", operation.text());
    return operation.json();
  }

  private String storeBody(String secret) {
    return "{\"platform\":\"shopline\",\"external_id\":\"%s\",\"name\":\"A shop\",\"credentials\":{\"app_key\":\"demo\",\"app_secret\":\"%s\"}}"
        .formatted(name, secret);
  }

  private static String aiTask(String member) {
    return "{\"kind\":\"text\",\"input\":{" + member + "}}";
  }

  private String get(Service service, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(service.health().resolve(path)).build();
    return new String(http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body(), UTF_8);
  }
}
