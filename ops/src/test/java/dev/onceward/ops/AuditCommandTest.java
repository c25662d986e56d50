package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.embedded.FreePorts;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.EventHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class AuditCommandTest {

  private static final Duration A_WHILE = Duration.ofMinutes(20);

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
  void a_range_of_which_each_event_is_in_kafka_or_parked_is_proven() throws Exception {
    for (int i = 0; i < 5; i++) {
      sent("store-" + i % 2);
    }
    pipeline.send(sent("again"), EventHeaders.REPLAY_ID, UUID.randomUUID().toString());
    pipeline.send(written("late"), EventHeaders.AUDIT_REPAIR, "true");
    pipeline.park(written("too-large"), "dead_letter");
    NewEvent task = TestPipeline.event("task", A_WHILE);
    pipeline.task(task);
    pipeline.send(task);
    pipeline.audited();

    JsonNode report = audit(0);

    assertThat(report.path("verdict").asText()).isEqualTo("proven");
    assertThat(report.at("/outbox/events").asLong()).isEqualTo(9);
    assertThat(report.at("/outbox/in_kafka").asLong()).isEqualTo(8);
    assertThat(report.at("/outbox/dead_letters").asLong()).isOne();
    assertThat(report.at("/kafka/originals").asLong()).isEqualTo(7);
    assertThat(report.at("/kafka/repairs").asLong()).isOne();
    assertThat(report.at("/kafka/replays").asLong()).isOne();
    assertThat(report.at("/operations/queued").asLong()).isOne();
    assertThat(report.path("findings")).isEmpty();

    JsonNode inPortions = audit(0, "--portion", "2");
    assertThat(inPortions).isEqualTo(report);
    CommandRun text = run();
    assertThat(text.exitCode()).isZero();
    assertThat(text.out()).contains("missing       0").contains("Proven: every event of the range");
  }

  @Test
  void an_audited_event_that_was_never_sent_is_missing() throws Exception {
    NewEvent lost = written("lost");
    sent("kept");
    pipeline.audited();
    NewEvent tooYoung = written("not-audited-yet");

    JsonNode report = audit(1);

    assertThat(kinds(report)).containsExactly("missing " + lost.id());
    assertThat(report.at("/counts/missing").asLong()).isOne();
    assertThat(report.at("/outbox/pending").asLong()).isOne();
    assertThat(run("--workspace", pipeline.database().newTenant().workspaceId() + "").exitCode())
        .isZero();
    pipeline.send(lost);
    JsonNode later = audit(5);
    assertThat(later.path("verdict").asText()).isEqualTo("not_proven");
    assertThat(later.path("unproven").toString())
        .contains("1 events are neither audited nor in Kafka yet");
    pipeline.send(tooYoung);
    audit(0);
  }

  @Test
  void records_that_were_deleted_with_their_topic_are_missing() throws Exception {
    NewEvent first = sent("a");
    NewEvent second = sent("b");
    pipeline.audited();
    audit(0);

    Admin admin = pipeline.topics().admin();
    admin.deleteTopics(List.of(pipeline.topic())).all().get();
    await().until(() -> !admin.listTopics().names().get().contains(pipeline.topic()));

    JsonNode report = audit(1);
    assertThat(kinds(report))
        .containsExactlyInAnyOrder("missing " + first.id(), "missing " + second.id());
    assertThat(report.at("/findings/0/what").asText()).contains("is gone");
  }

  @Test
  void what_kafka_has_removed_for_its_age_is_expired_and_not_missing() throws Exception {
    NewEvent old = sent("a", Duration.ofMinutes(40));
    RecordMetadata at = pipeline.send(old, EventHeaders.REPLAY_ID, UUID.randomUUID().toString());
    sent("a", Duration.ofMinutes(10));
    pipeline.audited();
    pipeline
        .topics()
        .admin()
        .deleteRecords(
            Map.of(pipeline.partition(old), RecordsToDelete.beforeOffset(at.offset() + 1)))
        .all()
        .get();

    JsonNode report = audit(5);

    assertThat(kinds(report)).containsExactly("expired " + old.id());
    assertThat(report.at("/counts/missing").asLong()).isZero();
    assertThat(report.path("unproven").toString()).contains("Kafka has removed what is that old");

    NewEvent lost = written("a", Duration.ofMinutes(5));
    pipeline.audited();
    assertThat(kinds(audit(1)))
        .containsExactlyInAnyOrder("missing " + lost.id(), "expired " + old.id());
  }

  @Test
  void phantoms_duplicates_and_wrong_order_are_each_named() throws Exception {
    NewEvent phantom = TestPipeline.event("phantom", A_WHILE);
    pipeline.send(phantom);
    NewEvent twice = sent("twice");
    pipeline.send(twice);
    NewEvent first = written("mixed");
    NewEvent second = written("mixed");
    pipeline.send(second);
    pipeline.send(first);
    pipeline.sendRaw(
        new ProducerRecord<>(
            pipeline.topic(), "no event".getBytes(StandardCharsets.UTF_8), new byte[] {1}));
    pipeline.audited();

    JsonNode report = audit(1);

    assertThat(kinds(report))
        .containsExactlyInAnyOrder(
            "phantom " + phantom.id(), "duplicate " + twice.id(), "out_of_order " + first.id());
    assertThat(report.path("findings").toString())
        .contains("again at " + pipeline.partition(twice) + " at topic offset")
        .contains("behind " + second.id() + " of the same aggregate");
    assertThat(report.at("/kafka/unreadable").asLong()).isOne();
    assertThat(kinds(audit(1, "--portion", "1"))).containsExactlyElementsOf(kinds(report));
    assertThat(run("--list", "0").out())
        .contains("phantom       1")
        .contains("out of order  1")
        .doesNotContain(phantom.id().toString());
  }

  @Test
  void an_operation_that_nobody_takes_up_and_an_event_that_does_not_leave_are_stuck()
      throws Exception {
    NewEvent event = TestPipeline.event("hangs", A_WHILE);
    UUID operation = pipeline.task(event);
    pipeline.send(event);
    pipeline.audited();
    audit(0);

    pipeline.superuser(
        """
        UPDATE onceward.operations SET state = 'running', attempt = 1, lease_owner = 'worker-7',
          lease_expires_at = now() - interval '10 minutes'
        """);
    JsonNode leased = audit(1);
    assertThat(leased.at("/findings/0/operation_id").asText()).isEqualTo(operation.toString());
    assertThat(leased.at("/findings/0/what").asText()).contains("the lease of worker-7 ended 6");
    pipeline.superuser(
        """
        UPDATE onceward.operations SET state = 'waiting_retry', lease_owner = NULL, lease_expires_at = NULL,
          next_attempt_at = now() - interval '1 minute', last_error_code = 'TIMEOUT'
        """);
    audit(0);
    assertThat(kinds(audit(1, "--stuck-after", "30s"))).containsExactly("stuck " + event.id());

    NewEvent waits = written("waits");
    pipeline.superuser(
        "UPDATE onceward.outbox_events SET created_at = now() - interval '1 hour' WHERE id = '"
            + waits.id()
            + "'");
    NewEvent parked = written("parked");
    pipeline.park(parked, "pending");
    pipeline.audited();
    pipeline.superuser("UPDATE onceward.parked_events SET parked_at = now() - interval '1 hour'");
    pipeline.superuser(
        "UPDATE onceward.relay_state SET audited_snapshot = '1:1:', delivered_snapshot = '1:1:'");
    assertThat(kinds(audit(1)))
        .containsExactlyInAnyOrder("stuck " + waits.id(), "stuck " + parked.id());
  }

  @Test
  void what_cannot_be_asked_is_refused_and_what_cannot_be_seen_is_not_proven() throws Exception {
    sent("a");
    assertThat(audit(5).path("unproven").toString()).contains("has audited nothing yet");
    pipeline.audited();
    assertThat(
            audit(5, "--to", Instant.now().plusSeconds(60).toString()).path("unproven").toString())
        .contains("audited only up to");
    assertThat(audit(5, "--from", "30d").path("unproven").toString())
        .contains("the outbox keeps no events from before");
    pipeline.superuser(
        "UPDATE onceward.relay_state SET delivered_at = delivered_at - interval '15 minutes'");
    assertThat(audit(5).path("unproven").toString()).contains("nothing was audited for 9");

    assertThat(run("--from", "1h", "--to", "2h").exitCode()).isEqualTo(2);
    assertThat(run("--from", "yesterday").err()).contains("'yesterday' is no time");
    assertThat(run("--portion", "0").exitCode()).isEqualTo(2);
    CommandRun unknown = run("--workspace", UUID.randomUUID().toString());
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("there is no workspace");
    String away = pipeline.config(directory, "127.0.0.1:" + FreePorts.next());
    CommandRun withoutKafka = CommandRun.of("audit", "--config", away);
    assertThat(withoutKafka.exitCode()).isEqualTo(4);
    assertThat(withoutKafka.err()).contains("Kafka does not answer");
  }

  private JsonNode audit(int exitCode, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--output", "json"));
    CommandRun run = run(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
    return run.json();
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("audit", "--config", pipeline.config()));
    all.addAll(List.of(arguments));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private static List<String> kinds(JsonNode report) {
    List<String> kinds = new ArrayList<>();
    report
        .path("findings")
        .forEach(
            finding ->
                kinds.add(finding.path("kind").asText() + " " + finding.path("event_id").asText()));
    return kinds;
  }

  private NewEvent written(String aggregate) throws Exception {
    return written(aggregate, A_WHILE);
  }

  private NewEvent written(String aggregate, Duration ago) throws Exception {
    return pipeline.append(TestPipeline.event(aggregate, ago));
  }

  private NewEvent sent(String aggregate) throws Exception {
    return sent(aggregate, A_WHILE);
  }

  private NewEvent sent(String aggregate, Duration ago) throws Exception {
    NewEvent event = written(aggregate, ago);
    pipeline.send(event);
    return event;
  }
}
