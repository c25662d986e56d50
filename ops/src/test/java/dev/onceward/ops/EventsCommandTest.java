package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.idempotency.IdempotencyStore;
import dev.onceward.db.idempotency.RequestScope;
import dev.onceward.db.idempotency.StoredAnswer;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.FreePorts;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.DeadLetterHeaders;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.route.TopicNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class EventsCommandTest {

  @TempDir private Path directory;
  private TestPipeline pipeline;

  @BeforeEach
  void prepare(PostgresServer server, TestTopics topics) throws Exception {
    pipeline = new TestPipeline(server, topics, directory);
  }

  @AfterEach
  void close() throws Exception {
    pipeline.close();
  }

  @Test
  void events_are_listed_newest_first_page_by_page_and_filtered() throws Exception {
    NewEvent oldest = pipeline.append(TestPipeline.event("one", Duration.ofMinutes(50)));
    NewEvent parked = pipeline.append(TestPipeline.event("two", Duration.ofMinutes(40)));
    pipeline.park(parked, "pending");
    NewEvent dead = pipeline.append(TestPipeline.event("two", Duration.ofMinutes(30)));
    pipeline.park(dead, "dead_letter");
    pipeline.audited();
    NewEvent task = TestPipeline.event("one", Duration.ofMinutes(20));
    pipeline.task(task);
    Tenant other = pipeline.database().newTenant();
    NewEvent foreign =
        pipeline.append(other.workspaceId(), TestPipeline.event("one", Duration.ofMinutes(10)));

    assertThat(ids(list()))
        .containsExactly(foreign.id(), task.id(), dead.id(), parked.id(), oldest.id());
    JsonNode page = list("--limit", "2");
    assertThat(ids(page)).containsExactly(foreign.id(), task.id());
    JsonNode next = list("--limit", "3", "--after", page.path("next_after").asText());
    assertThat(ids(next)).containsExactly(dead.id(), parked.id(), oldest.id());
    assertThat(next.path("next_after").isNull()).isTrue();

    assertThat(ids(list("--status", "pending"))).containsExactly(foreign.id(), task.id());
    assertThat(ids(list("--status", "dispatched"))).containsExactly(oldest.id());
    assertThat(ids(list("--status", "parked"))).containsExactly(parked.id());
    assertThat(ids(list("--status", "dead_letter"))).containsExactly(dead.id());
    assertThat(ids(list("--status", "discarded"))).isEmpty();
    assertThat(ids(list("--workspace", other.workspaceId().toString())))
        .containsExactly(foreign.id());
    assertThat(ids(list("--aggregate", "store/two"))).containsExactly(dead.id(), parked.id());
    assertThat(ids(list("--aggregate", "media"))).isEmpty();
    assertThat(ids(list("--from", "45m", "--to", "25m"))).containsExactly(dead.id(), parked.id());
    assertThat(ids(list("--type", "store.verification_requested"))).isEmpty();
    assertThat(list().at("/events/1/operation_state").asText()).isEqualTo("queued");

    assertThat(run("list", "--limit", "1").out())
        .contains("STATUS")
        .contains("pending")
        .contains("There are more: --after " + foreign.id());
    assertThat(run("list", "--from", "1h", "--to", "2h").exitCode()).isEqualTo(2);
    assertThat(run("list", "--limit", "0").err()).contains("--limit must be 1 to 10000");
    assertThat(run("list", "--aggregate", "store/").exitCode()).isEqualTo(2);
    assertThat(run("list", "--status", "lost").err()).contains("lost");
  }

  @Test
  void one_life_is_told_from_every_id_that_leads_to_it() throws Exception {
    NewEvent event =
        TestPipeline.event("store-1", Duration.ofMinutes(5))
            .withTrace("request-4711", "correlation-1", null);
    UUID operation = request("key-1", event);
    RecordMetadata at = pipeline.send(event);
    pipeline.send(event, EventHeaders.REPLAY_ID, "6f1f9a10-0000-7000-8000-000000000001");
    pipeline.audited();

    JsonNode life = show(0, event.id().toString());

    assertThat(life.at("/life/operation/id").asText()).isEqualTo(operation.toString());
    assertThat(life.at("/life/requests/0/key").asText()).isEqualTo("key-1");
    assertThat(life.at("/life/requests/0/endpoint").asText()).isEqualTo("POST /v1/stores");
    assertThat(life.at("/life/requests/0/answer_status").asInt()).isEqualTo(202);
    assertThat(life.at("/life/events/0/row/request_id").asText()).isEqualTo("request-4711");
    assertThat(life.at("/life/events/0/row/payload").isNull()).isTrue();
    assertThat(life.at("/life/events/0/status").asText()).isEqualTo("dispatched");
    assertThat(life.at("/life/events/0/records/0/topic_offset").asLong()).isEqualTo(at.offset());
    assertThat(life.at("/life/events/0/records/0/sent_as").asText()).isEqualTo("original");
    assertThat(life.at("/life/events/0/records/1/sent_as").asText()).startsWith("replay 6f1f9a10");
    assertThat(life.at("/why/sentence").asText()).contains("a worker will take it");
    for (String id : List.of(operation.toString(), "key-1", "request-4711")) {
      JsonNode same = show(0, id);
      assertThat(same.at("/life/events")).as(id).isEqualTo(life.at("/life/events"));
      assertThat(same.at("/life/operation")).as(id).isEqualTo(life.at("/life/operation"));
      assertThat(same.at("/life/requests")).as(id).isEqualTo(life.at("/life/requests"));
    }
    assertThat(show(0, "key-1", "--payload").at("/life/events/0/row/payload").asText())
        .isEqualTo(event.payload());
    CommandRun text = run("show", "key-1");
    assertThat(text.out())
        .contains("found as       idempotency key of POST /v1/stores")
        .contains("at topic offset " + at.offset() + ", original")
        .contains("operation      " + operation)
        .doesNotContain("credential_version");
  }

  @Test
  void the_last_line_says_what_is_in_the_way_and_what_helps() throws Exception {
    NewEvent event = TestPipeline.event("store-1", Duration.ofMinutes(5));
    UUID operation = pipeline.task(event);
    String id = operation.toString();
    assertThat(lastLines(id)).contains("no relay has ever run here", "onceward status");

    pipeline.superuser(
        """
        INSERT INTO onceward.relay_state (relay, paused_at, paused_by) VALUES ('onceward', now(), 'maria')
        """);
    assertThat(lastLines(id)).contains("by maria", "onceward relay resume");
    pipeline.superuser("UPDATE onceward.relay_state SET paused_at = NULL, paused_by = NULL");
    assertThat(lastLines(id)).contains("no relay leads");

    pipeline.park(event, "dead_letter");
    assertThat(lastLines(id))
        .contains("OUTBOX_ENQUEUE_FAILED", "onceward dead-letters redrive " + event.id());
    pipeline.superuser("DELETE FROM onceward.parked_events");
    pipeline.audited();
    assertThat(lastLines(id)).contains("Kafka does not hold it now", "onceward audit");

    pipeline.send(event);
    pipeline.superuser("UPDATE onceward.operations SET updated_at = now() - interval '5 minutes'");
    assertThat(lastLines(id))
        .contains("no worker has taken it for 5 min", "verify_store_credentials")
        .contains("onceward offsets show");
    RecordMetadata aside = setAside(event);
    assertThat(lastLines(id))
        .contains("A consumer has set it aside (UNKNOWN_EVENT_TYPE)")
        .contains("redrive " + aside.topic() + "/" + aside.partition() + "/" + aside.offset());
    pipeline.superuser(
        """
        UPDATE onceward.operations SET state = 'dead', attempt = 8, finished_at = now(), last_error_code = 'TIMEOUT',
          last_error_summary = 'no answer in time'
        """);
    assertThat(lastLines(id))
        .contains("All 8 attempts are used up", "TIMEOUT: no answer in time", "redrive " + id);
  }

  @Test
  void a_key_of_several_things_is_listed_and_an_unknown_one_is_refused() throws Exception {
    NewEvent one = TestPipeline.event("store-1", Duration.ofMinutes(5));
    NewEvent other = TestPipeline.event("store-2", Duration.ofMinutes(4));
    Tenant second = pipeline.database().newTenant();
    request("same", one);
    request(second, "same", other);

    CommandRun several = run("show", "same");
    assertThat(several.exitCode()).isEqualTo(1);
    assertThat(several.out()).contains(one.id().toString()).contains(other.id().toString());
    assertThat(several.err()).contains("2 things have the id \"same\"").contains("--workspace");
    JsonNode told = show(0, "same", "--workspace", second.workspaceId().toString());
    assertThat(told.at("/life/events/0/id").asText()).isEqualTo(other.id().toString());

    for (String unknown : List.of("nobody-knows-it", UUID.randomUUID().toString())) {
      CommandRun none = run("show", unknown);
      assertThat(none.exitCode()).isEqualTo(1);
      assertThat(none.err()).contains("nothing has the id \"" + unknown + "\"");
      assertThat(none.out()).isEmpty();
    }
    String away = pipeline.config(directory, "127.0.0.1:" + FreePorts.next());
    CommandRun withoutKafka = CommandRun.of("events", "show", one.id() + "", "--config", away);
    assertThat(withoutKafka.exitCode()).isEqualTo(4);
    assertThat(withoutKafka.out()).contains("not asked: Kafka does not answer").contains("store-1");
  }

  private UUID request(String key, NewEvent event) throws Exception {
    return request(pipeline.tenant(), key, event);
  }

  /** What the API does in one transaction. */
  private UUID request(Tenant tenant, String key, NewEvent event) throws Exception {
    NewTask task = NewTask.of("verify_store_credentials", event);
    pipeline
        .database()
        .app()
        .runInWorkspace(
            tenant.workspaceId(),
            connection -> {
              TaskWriter.append(connection, task);
              IdempotencyStore.storeCompleted(
                  connection,
                  new RequestScope(
                      tenant.workspaceId(), tenant.userId(), "POST", "/v1/stores", key),
                  new byte[32],
                  "k1",
                  new StoredAnswer(202, "{}", "{}"),
                  Duration.ofDays(2));
            });
    return UUID.fromString(
        pipeline.superuser(
            "SELECT id FROM onceward.operations WHERE event_id = '" + event.id() + "'"));
  }

  private RecordMetadata setAside(NewEvent event) throws Exception {
    pipeline.topics().create("store-dead-letter", 1);
    var record = pipeline.record(pipeline.tenant().workspaceId(), event);
    ProducerRecord<byte[], byte[]> aside =
        new ProducerRecord<>(
            TopicNames.deadLetterOf(pipeline.topic()), record.key(), record.value());
    aside
        .headers()
        .add(DeadLetterHeaders.REASON, "UNKNOWN_EVENT_TYPE".getBytes(StandardCharsets.UTF_8));
    return pipeline.sendRaw(aside);
  }

  private String lastLines(String id) {
    String[] lines = run("show", id).out().strip().split("\n");
    return lines[lines.length - 2] + "\n" + lines[lines.length - 1];
  }

  private JsonNode show(int exitCode, String... arguments) throws Exception {
    return json(exitCode, "show", arguments);
  }

  private JsonNode list(String... arguments) throws Exception {
    return json(0, "list", arguments);
  }

  private JsonNode json(int exitCode, String command, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--output", "json"));
    CommandRun run = run(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    return run.json();
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("events"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--config", pipeline.config()));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private static List<UUID> ids(JsonNode page) {
    List<UUID> ids = new ArrayList<>();
    page.path("events").forEach(event -> ids.add(UUID.fromString(event.path("id").asText())));
    return ids;
  }
}
