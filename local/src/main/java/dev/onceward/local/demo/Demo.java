package dev.onceward.local.demo;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.platform.PlatformBehaviour;
import dev.onceward.local.platform.PlatformCall;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.topic.TopicWatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Sends one request twice through a running cluster and checks all that follows. Used once. */
public final class Demo {

  /** How long the platform works on a call: long enough to see an operation run. */
  private static final Duration PLATFORM_WORK = Duration.ofMillis(100);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
  private static final Duration OPERATION_LIMIT = Duration.ofSeconds(60);
  private static final Duration TOPIC_LIMIT = Duration.ofSeconds(20);

  private final LocalCluster cluster;
  private final PrintWriter out;
  private final String externalId;
  private final String idempotencyKey;

  /**
   * @param cluster a running one
   * @param out where the story goes
   */
  public Demo(LocalCluster cluster, PrintWriter out) {
    this.cluster = cluster;
    this.out = out;
    String run = UUID.randomUUID().toString().substring(0, 8);
    this.externalId = "shop-" + run;
    this.idempotencyKey = "demo-" + run;
  }

  /**
   * Runs it.
   *
   * @throws DemoFailedException when the pipeline did not do what it promises
   */
  public void run() throws DemoFailedException, IOException, SQLException, InterruptedException {
    cluster.platform().behave(PlatformBehaviour.NORMAL.withLatency(PLATFORM_WORK));
    ApiClient client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
    try (TopicWatch topic = new TopicWatch(cluster.bootstrapServers(), cluster.topic("store"));
        Connection connection = cluster.connectAsOps()) {
      PipelineFacts facts = new PipelineFacts(connection);

      title("1. One request, sent twice with Idempotency-Key: " + idempotencyKey);
      Instant sentAt = Instant.now();
      ApiAnswer first = client.createStore(idempotencyKey, externalId);
      Instant answeredAt = Instant.now();
      showAnswer(first);
      check(first.status() == 202, "the first answer is " + first.status() + ": " + first.text());
      UUID operationId = UUID.fromString(first.operationId());

      Instant claimedAt;
      ApiAnswer operation;
      try (ClaimWatch claim = new ClaimWatch(cluster, operationId)) {
        ApiAnswer second = client.createStore(idempotencyKey, externalId);
        showAnswer(second);
        check(second.replayed(), "the second answer is not marked as a replay");
        check(
            second.status() == first.status() && second.text().equals(first.text()),
            "the second answer differs from the first: " + second.status() + " " + second.text());

        title("2. The operation");
        operation = awaitFinal(client, operationId);
        claimedAt = claim.claimedAt();
      }
      out.println("   " + operation.text());

      title("3. The record on Kafka");
      List<SeenRecord> records = topic.finish(TOPIC_LIMIT);
      OperationTimes times = facts.times(operationId);
      check(times != null, "operation " + operationId + " has no row");
      String eventId = Objects.requireNonNull(times).eventId().toString();
      List<SeenRecord> ours = records.stream().filter(each -> each.key().equals(eventId)).toList();
      ours.forEach(this::showRecord);

      title("4. When");
      Timeline timeline = new Timeline(sentAt, "request sent");
      timeline.add(answeredAt, "answer received");
      if (times.committedAt() != null) {
        timeline.add(
            times.committedAt(), "transaction committed: store, operation, event, idempotency key");
      }
      ours.forEach(each -> timeline.add(each.seenAt(), "record read by a Kafka consumer"));
      if (claimedAt != null) {
        timeline.add(claimedAt, "operation claimed by a worker");
      }
      List<PlatformCall> calls = cluster.platform().ledger().calls(eventId);
      calls.forEach(
          call ->
              timeline.add(
                  call.arrivedAt(),
                  "platform called (it works for " + PLATFORM_WORK.toMillis() + " ms)"));
      timeline.add(times.updatedAt(), "operation " + times.state());
      timeline.lines().forEach(out::println);

      title("5. Counted");
      count("operation", facts.operations(externalId));
      count("outbox event", facts.events(externalId));
      count("record on Kafka", ours.size());
      count("call to the platform", calls.size());
      count("effect on the platform", cluster.platform().ledger().effects(eventId));
    }
  }

  private ApiAnswer awaitFinal(ApiClient client, UUID operationId)
      throws DemoFailedException, IOException, InterruptedException {
    long deadline = System.nanoTime() + OPERATION_LIMIT.toNanos();
    while (true) {
      ApiAnswer answer = client.operation(operationId.toString(), Duration.ofSeconds(10));
      check(answer.status() == 200, "the operation is answered with " + answer.status());
      String state = answer.json().path("state").asText();
      switch (state) {
        case "succeeded" -> {
          return answer;
        }
        case "failed", "dead", "cancelled" ->
            throw new DemoFailedException("the operation is " + state + ": " + answer.text());
        default ->
            check(
                System.nanoTime() < deadline,
                "the operation is still " + state + " after " + OPERATION_LIMIT.toSeconds() + " s");
      }
    }
  }

  private void showAnswer(ApiAnswer answer) {
    out.println(
        "   POST /v1/stores -> "
            + answer.status()
            + answer.header("Location").map(place -> ", Location: " + place).orElse("")
            + (answer.replayed() ? ", Idempotency-Replayed: true" : ""));
  }

  private void showRecord(SeenRecord each) {
    out.println(
        "   topic "
            + each.topic()
            + ", partition "
            + each.partition()
            + ", topic offset "
            + each.topicOffset());
    out.println("   key     " + each.key());
    each.headers().forEach((name, value) -> out.println("   header  " + name + ": " + value));
    out.println("   value   " + each.value());
  }

  private void count(String what, long number) throws DemoFailedException {
    check(number == 1, "there should be exactly one " + what + ", but there are " + number);
    out.println("   1 " + what);
  }

  private void title(String text) {
    out.println();
    out.println(text);
  }

  private static void check(boolean holds, String reason) throws DemoFailedException {
    if (!holds) {
      throw new DemoFailedException(reason);
    }
  }
}
