package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.embedded.ShutdownMode;
import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.topic.TopicWatch;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs, to-dos and hooks, through the whole pipeline. */
@ExtendWith(ClusterExtension.class)
final class FlowScenariosTest {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final Duration PIPELINE_LIMIT = Duration.ofMinutes(3);
  private static final int SENDERS = 4;

  private final String name = "flow-" + UUID.randomUUID();
  private LocalCluster cluster;
  private ApiClient client;

  @BeforeEach
  void connect(LocalCluster shared) {
    cluster = shared;
    client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
  }

  @Test
  void a_review_waits_for_its_to_do_and_ends_as_it_is_decided() throws Exception {
    String body =
        "{\"flow\":\"listing_review\",\"input\":{\"listing_id\":\"%s\",\"title\":\"A lamp\"}}"
            .formatted(name);
    List<SeenRecord> records;
    String runId;
    try (TopicWatch topic = new TopicWatch(cluster.bootstrapServers(), cluster.topic("run"))) {
      ApiAnswer started = client.post("/v1/runs", name, body);
      ApiAnswer again = client.post("/v1/runs", name, body);
      ApiAnswer other = client.post("/v1/runs", name, body.replace("lamp", "chair"));
      runId = started.json().path("run_id").asText();
      awaitSucceeded(started);

      assertThat(started.status()).as("%s", started.text()).isEqualTo(202);
      assertThat(again.json().path("run_id").asText()).isEqualTo(runId);
      assertThat(again.json().path("duplicate").asBoolean()).isTrue();
      assertThat(other.status()).isEqualTo(422);
      assertThat(other.problemCode()).isEqualTo("RECEIPT_MISMATCH");
      assertThat(run(runId).path("state").asText()).isEqualTo("waiting");

      String resolution = "/v1/todos/" + waitingTodo(runId) + "/resolution";
      ApiAnswer resolved = client.post(resolution, name + "-r", "{\"decision\":\"approve\"}");
      ApiAnswer resolvedAgain = client.post(resolution, name + "-r", "{\"decision\":\"approve\"}");
      awaitSucceeded(resolved);

      assertThat(resolvedAgain.json().path("duplicate").asBoolean()).isTrue();
      assertThat(run(runId).path("state").asText()).isEqualTo("ended");
      assertThat(run(runId).path("outcome").asText()).isEqualTo("approved");
      await()
          .atMost(PIPELINE_LIMIT)
          .untilAsserted(
              () ->
                  assertThat(topic.soFar())
                      .extracting(SeenRecord::key)
                      .containsAll(eventIds(runId)));
      records = topic.finish(PIPELINE_LIMIT);
    }

    assertThat(eventTypes(runId))
        .containsExactly("run.started", "todo.created", "todo.resolved", "run.ended");
    assertThat(records).extracting(SeenRecord::key).containsSubsequence(eventIds(runId));
    assertNoDeadLetters();
  }

  @Test
  void hooks_start_a_run_and_resolve_its_to_do_once_each() throws Exception {
    HookSender starter = hook("{\"type\":\"start_run\",\"flow\":\"listing_review\"}");
    HookSender resolver = hook("{\"type\":\"resolve_todo\"}");
    String data =
        "{\"data\":{\"listing_id\":\"%s\",\"title\":\"A lamp\"},\"type\":\"x\"}".formatted(name);

    HookSender.Answer started = starter.deliver(name, data);
    HookSender.Answer again = starter.deliver(name, data);
    String runId = started.json().path("run_id").asText();
    await().atMost(PIPELINE_LIMIT).until(() -> run(runId).path("state").asText().equals("waiting"));
    String decision =
        "{\"data\":{\"todo_id\":\"%s\",\"decision\":\"reject\"}}".formatted(waitingTodo(runId));
    HookSender.Answer resolved = resolver.deliver(name, decision);
    HookSender.Answer resolvedAgain = resolver.deliver(name, decision);
    await().atMost(PIPELINE_LIMIT).until(() -> run(runId).path("state").asText().equals("ended"));

    assertThat(started.status()).isEqualTo(202);
    assertThat(again.json().path("run_id").asText()).isEqualTo(runId);
    assertThat(again.json().path("duplicate").asBoolean()).isTrue();
    assertThat(resolved.status()).as("%s", resolved.json()).isEqualTo(202);
    assertThat(resolvedAgain.json().path("duplicate").asBoolean()).isTrue();
    assertThat(run(runId).path("outcome").asText()).isEqualTo("rejected");
    assertNoDeadLetters();
  }

  @Test
  void a_check_of_a_store_ends_without_a_to_do() throws Exception {
    ApiAnswer started = client.post("/v1/runs", name, checkOf(newStore()));
    awaitSucceeded(started);

    JsonNode run = run(started.json().path("run_id").asText());
    assertThat(run.path("state").asText()).isEqualTo("ended");
    assertThat(run.path("outcome").asText()).isEqualTo("verified");
    assertThat(eventTypes(run.path("id").asText())).containsExactly("run.started", "run.ended");
  }

  @Tag("S54")
  @Test
  void every_delivery_that_was_accepted_finishes_though_the_api_is_killed() throws Exception {
    Deliveries deliveries =
        deliverUnder(
            () -> {
              cluster.api().kill();
              cluster.api().start();
              cluster.api().awaitReady(PIPELINE_LIMIT);
            },
            3);
    assertThat(deliveries.cutOff().get()).as("deliveries that a kill cut off").isPositive();
  }

  @Tag("S54")
  @Test
  void every_delivery_that_was_accepted_finishes_though_postgresql_stops() throws Exception {
    Iterator<ShutdownMode> modes = List.of(ShutdownMode.FAST, ShutdownMode.IMMEDIATE).iterator();
    Deliveries deliveries =
        deliverUnder(
            () -> {
              cluster.postgres().stop(modes.next());
              cluster.postgres().start();
              cluster.api().awaitReady(PIPELINE_LIMIT);
            },
            2);
    assertThat(deliveries.refused().get()).as("deliveries that an outage refused").isPositive();
    assertThat(deliveries.cutOff().get()).as("deliveries that got no answer").isZero();
  }

  /** What takes a part of the cluster away and brings it back. */
  private interface Disturbance {
    void happen() throws Exception;
  }

  /**
   * What came of deliveries.
   *
   * @param accepted the run of each, by id
   * @param refused how many were answered 503
   * @param cutOff how many got no answer
   */
  private record Deliveries(
      Map<String, String> accepted, AtomicInteger refused, AtomicInteger cutOff) {}

  /** Delivers without a pause, and holds that what was accepted is kept and finishes. */
  private Deliveries deliverUnder(Disturbance disturbance, int times) throws Exception {
    String data = "{\"data\":{\"store_id\":\"%s\"}}".formatted(newStore());
    HookSender sender = hook("{\"type\":\"start_run\",\"flow\":\"store_check\"}");
    Deliveries deliveries =
        new Deliveries(new ConcurrentHashMap<>(), new AtomicInteger(), new AtomicInteger());
    Map<String, String> accepted = deliveries.accepted();
    List<String> undocumented = Collections.synchronizedList(new ArrayList<>());
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      String prefix = name + "-" + i + "-";
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; !over.get(); n++) {
                  try {
                    HookSender.Answer answer = sender.deliver(prefix + n, data);
                    if (answer.status() == 202) {
                      accepted.put(prefix + n, answer.json().path("run_id").asText());
                    } else if (answer.status() == 503) {
                      deliveries.refused().incrementAndGet();
                    } else {
                      undocumented.add(answer.toString());
                    }
                  } catch (IOException broken) {
                    deliveries.cutOff().incrementAndGet();
                  } catch (InterruptedException e) {
                    return;
                  }
                }
              });
      thread.start();
      senders.add(thread);
    }
    try {
      for (int time = 0; time <= times; time++) {
        int before = accepted.size();
        await().atMost(PIPELINE_LIMIT).until(() -> accepted.size() > before + 30);
        if (time < times) {
          disturbance.happen();
        }
      }
    } finally {
      over.set(true);
      for (Thread thread : senders) {
        thread.join(PIPELINE_LIMIT.toMillis());
      }
    }

    assertThat(undocumented).isEmpty();
    assertThat(receipts()).containsAllEntriesOf(accepted);
    await()
        .atMost(PIPELINE_LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertThat(unfinishedRuns()).isZero());
    for (String id : accepted.keySet().stream().limit(20).toList()) {
      HookSender.Answer again = sender.deliver(id, data);
      assertThat(again.json().path("run_id").asText()).isEqualTo(accepted.get(id));
      assertThat(again.json().path("duplicate").asBoolean()).isTrue();
    }
    return deliveries;
  }

  private HookSender hook(String action) throws Exception {
    ApiAnswer made =
        client.post("/v1/hooks", name, "{\"name\":\"%s\",\"action\":%s}".formatted(name, action));
    assertThat(made.status()).as("%s", made.text()).isEqualTo(201);
    return new HookSender(cluster.apiUrl(), made.json());
  }

  private String newStore() throws Exception {
    ApiAnswer store = client.createStore(name + "-store", name);
    awaitSucceeded(store);
    return store.json().at("/store/id").asText();
  }

  private static String checkOf(String storeId) {
    return "{\"flow\":\"store_check\",\"input\":{\"store_id\":\"%s\"}}".formatted(storeId);
  }

  private JsonNode run(String id) throws Exception {
    return client.get("/v1/runs/" + id).json();
  }

  private String waitingTodo(String runId) throws Exception {
    JsonNode todos = client.get("/v1/todos?state=waiting&limit=200").json().path("items");
    for (JsonNode todo : todos) {
      if (todo.path("run_id").asText().equals(runId)) {
        return todo.path("id").asText();
      }
    }
    throw new AssertionError("no waiting to-do of " + runId + " among " + todos);
  }

  private void awaitSucceeded(ApiAnswer answer) {
    await()
        .atMost(PIPELINE_LIMIT)
        .untilAsserted(
            () ->
                assertThat(
                        client
                            .operation(answer.operationId(), Duration.ofSeconds(10))
                            .json()
                            .path("state")
                            .asText())
                    .as("%s", answer.text())
                    .isEqualTo("succeeded"));
  }

  private void assertNoDeadLetters() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
      assertThat(admin.listTopics().names().get())
          .contains(cluster.topic("run"))
          .doesNotContain(cluster.topic("run") + "-dead-letter");
    }
  }

  private List<String> eventTypes(String runId) throws SQLException {
    return texts(
        "SELECT event_type FROM onceward.outbox_events WHERE aggregate_id = ? ORDER BY id", runId);
  }

  private List<String> eventIds(String runId) throws SQLException {
    return texts(
        "SELECT id::text FROM onceward.outbox_events WHERE aggregate_id = ? ORDER BY id", runId);
  }

  /** The run of each accepted receipt of this test, by key. */
  private Map<String, String> receipts() throws SQLException {
    Map<String, String> runs = new ConcurrentHashMap<>();
    for (String pair :
        texts(
            "SELECT idem_key || ' ' || run_id FROM onceward.hook_receipts WHERE status = 'accepted' AND idem_key LIKE ? || '%'",
            name)) {
      runs.put(pair.split(" ")[0], pair.split(" ")[1]);
    }
    return runs;
  }

  private int unfinishedRuns() throws SQLException {
    return texts(
            "SELECT r.id::text FROM onceward.runs r JOIN onceward.hook_receipts h ON h.run_id = r.id"
                + " WHERE h.idem_key LIKE ? || '%' AND r.state <> 'ended'",
            name)
        .size();
  }

  private List<String> texts(String sql, String parameter) throws SQLException {
    try (Connection connection = cluster.connectAsOps();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, parameter);
      List<String> texts = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          texts.add(row.getString(1));
        }
      }
      return texts;
    }
  }
}
