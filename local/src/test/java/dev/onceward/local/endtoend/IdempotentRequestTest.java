package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.topic.TopicWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ClusterExtension.class)
final class IdempotentRequestTest {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final Duration PIPELINE_LIMIT = Duration.ofMinutes(3);

  private final String name = "once-" + UUID.randomUUID();
  private LocalCluster cluster;
  private ApiClient client;
  private PipelineRows rows;

  @BeforeEach
  void connect(LocalCluster shared) {
    cluster = shared;
    client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
    rows = new PipelineRows(cluster, name);
  }

  @Test
  void a_repeated_key_replays_the_first_answer_and_makes_nothing_new() throws Exception {
    ApiAnswer first = client.createStore(name, name);
    awaitAllSucceeded();

    ApiAnswer second = client.createStore(name, name);

    assertThat(first.status()).as("%s", first.text()).isEqualTo(202);
    assertThat(first.replayed()).isFalse();
    assertThat(second.status()).isEqualTo(202);
    assertThat(second.text()).isEqualTo(first.text());
    assertThat(second.header("Location")).isEqualTo(first.header("Location")).isPresent();
    assertThat(second.replayed()).isTrue();
    assertThat(rows.operations()).hasSize(1);
    assertThat(rows.eventIds()).hasSize(1);
  }

  @Test
  void a_key_used_for_another_request_is_refused_and_nothing_is_executed() throws Exception {
    client.createStore(name, name);

    ApiAnswer other = client.createStore(name, name + "-other");

    assertThat(other.status()).isEqualTo(409);
    assertThat(other.problemCode()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    assertThat(rows.operations()).hasSize(1);
    assertThat(client.createStore(name, name).replayed()).isTrue();
  }

  @Test
  void fifty_parallel_equal_requests_are_one_operation_one_event_one_record_one_effect()
      throws Exception {
    List<ApiAnswer> answers;
    try (TopicWatch topic = new TopicWatch(cluster.bootstrapServers(), cluster.topic("store"))) {
      List<CompletableFuture<ApiAnswer>> pending = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        pending.add(client.createStoreLater(name, name));
      }
      answers = pending.stream().map(CompletableFuture::join).toList();
      awaitAllSucceeded();
      String eventId = rows.eventIds().get(0);
      assertThat(topic.finish(PIPELINE_LIMIT))
          .extracting(SeenRecord::key)
          .containsOnlyOnce(eventId);
    }

    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(answer.status() + " " + answer.problemCode())
                    .isIn("202 ", "409 IDEMPOTENCY_REQUEST_IN_PROGRESS"));
    assertThat(answers).filteredOn(each -> each.status() == 202 && !each.replayed()).hasSize(1);
    assertThat(rows.operations()).hasSize(1);
    assertThat(rows.eventIds()).hasSize(1);
    assertThat(rows.idempotencyRequests()).isOne();
    EffectAudit audit = new EffectAudit(cluster.platform().ledger());
    audit.eachHasOneCall(rows.operations());
    audit.eachHasOneEffect(rows.operations());
  }

  @Test
  void another_workspaces_operation_is_answered_like_an_unknown_one() throws Exception {
    ApiAnswer created = client.createStore(name, name);
    ApiClient stranger =
        new ApiClient(
            cluster.apiUrl(), cluster.createWorkspace("stranger").accessKey(), ANSWER_LIMIT);

    ApiAnswer foreign = stranger.get("/v1/operations/" + created.operationId());
    ApiAnswer unknown = stranger.get("/v1/operations/" + UUID.randomUUID());

    assertThat(foreign.status()).isEqualTo(404).isEqualTo(unknown.status());
    assertThat(foreign.problemCode()).isEqualTo(unknown.problemCode());
  }

  private void awaitAllSucceeded() {
    await().atMost(PIPELINE_LIMIT).until(() -> rows.unfinished().isEmpty());
  }
}
