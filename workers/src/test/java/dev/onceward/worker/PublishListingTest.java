package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.draft.Draft;
import dev.onceward.db.draft.DraftContent;
import dev.onceward.db.draft.DraftStore;
import dev.onceward.db.draft.Publication;
import dev.onceward.db.draft.PublicationStore;
import dev.onceward.db.operation.ControlResult;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationControl;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.worker.PlatformDouble.Answer;
import dev.onceward.worker.PlatformDouble.Call;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class PublishListingTest {

  private static final UUID MEDIA = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");
  private static final Answer PUBLISHED = Answer.of(200, "{\"listing_id\":\"listing-7\"}");

  private final UUID publicationId = UUID.randomUUID();
  private PlatformWorld world;
  private Draft draft;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new PlatformWorld(server, topics, "listing");
    world.platform().answer(call -> PUBLISHED);
    draft =
        world.inWorkspace(
            connection ->
                DraftStore.insert(
                    connection,
                    new DraftContent(
                        world.storeId(), "茶 \"Tee\"", "two\nlines", "10.50", List.of(MEDIA))));
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void what_the_draft_said_when_it_was_asked_for_is_published_once() throws Exception {
    NewTask task = write(publicationId);
    var unused =
        world.inWorkspace(
            connection ->
                DraftStore.replace(
                    connection,
                    draft.id(),
                    1,
                    new DraftContent(world.storeId(), "another title", null, null, List.of())));
    world.world().send(task);
    world.world().awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.platform().calls())
        .containsExactly(
            new Call(
                "POST",
                "/v1/listings",
                task.event().id().toString(),
                PlatformWorld.TRACEPARENT,
                PlatformWorld.SHOP
                    + ",\"listing\":{\"title\":\"茶 \\\"Tee\\\"\",\"description\":\"two\\nlines\","
                    + "\"price\":\"10.50\",\"media_ids\":[\""
                    + MEDIA
                    + "\"]}}"));
    Publication publication = publication();
    assertThat(publication.listingId()).isEqualTo("listing-7");
    assertThat(publication.publishedAt()).isNotNull();
    assertThat(publication.state()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(world.world().find(task).result())
        .isEqualTo(
            "{\"publication_id\":\"%s\",\"draft_revision\":1,\"listing_id\":\"listing-7\"}"
                .formatted(publicationId));
  }

  @Test
  void a_refusal_is_permanent_and_shows_nothing_of_the_credentials() throws Exception {
    world.platform().answer(call -> Answer.of(403, "{\"error\":\"s3cret-value\"}"));
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.FAILED, task);

    Operation failed = world.world().find(task);
    assertThat(failed.lastErrorCode()).isEqualTo("PLATFORM_REJECTED");
    assertThat(failed.lastErrorSummary()).doesNotContain("s3cret");
    assertThat(publication().listingId()).isNull();
    assertThat(publication().state()).isEqualTo(OperationState.FAILED);
  }

  @Test
  void whatever_may_pass_is_tried_again_with_the_same_key() throws Exception {
    List<Answer> bad =
        List.of(
            Answer.of(503, ""),
            new Answer(429, "", "0"),
            Answer.of(200, "{}"),
            Answer.of(200, "{\"listing_id\":\"\"}"),
            Answer.of(200, "{\"listing_id\":\"" + "x".repeat(201) + "\"}"),
            Answer.of(0, null));
    AtomicInteger number = new AtomicInteger();
    world
        .platform()
        .answer(
            call -> {
              int now = number.getAndIncrement();
              return now < bad.size() ? bad.get(now) : PUBLISHED;
            });
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.platform().calls())
        .hasSize(bad.size() + 1)
        .extracting(Call::idempotencyKey)
        .containsOnly(task.event().id().toString());
  }

  @Test
  void a_retry_after_a_failure_publishes_under_its_own_event_and_the_old_one_does_nothing()
      throws Exception {
    world.platform().answer(call -> Answer.of(403, ""));
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.FAILED, task);
    world.platform().answer(call -> PUBLISHED);

    Operation queued =
        world.inWorkspace(
            connection ->
                ((ControlResult.Changed)
                        OperationControl.retry(connection, task.operationId(), null, null, null))
                    .operation());
    world.world().send(task);
    OutboxRow again =
        world.inWorkspace(
            connection -> OutboxReader.find(connection, queued.eventId()).orElseThrow());
    world.world().send(again);
    world.world().awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.platform().calls())
        .extracting(Call::idempotencyKey)
        .containsExactly(task.event().id().toString(), queued.eventId().toString());
    assertThat(world.world().find(task).attempt()).isEqualTo(1);
    assertThat(publication().listingId()).isEqualTo("listing-7");
  }

  @Test
  void a_cancelled_publication_calls_nobody() throws Exception {
    NewTask cancelled = write(publicationId);
    ControlResult result =
        world.inWorkspace(
            connection -> OperationControl.cancel(connection, cancelled.operationId()));
    assertThat(result).isInstanceOf(ControlResult.Changed.class);
    world.world().send(cancelled);
    NewTask after = write(UUID.randomUUID());
    world.world().send(after);
    world.world().awaitState(OperationState.SUCCEEDED, after);

    assertThat(world.platform().calls())
        .extracting(Call::idempotencyKey)
        .containsExactly(after.event().id().toString());
    assertThat(world.world().state(cancelled)).isEqualTo(OperationState.CANCELLED);
  }

  @Test
  void a_payload_or_a_publication_that_is_not_there_fails_at_once() throws Exception {
    NewTask nonsense = task("{\"publication_id\":7}", UUID.randomUUID());
    NewTask nobody = task(payload(UUID.randomUUID()), UUID.randomUUID());
    world.world().database().wrongOnPurpose(nonsense.event().id());
    world.world().writeAndSend(nonsense, nobody);
    world.world().awaitState(OperationState.FAILED, nonsense, nobody);

    assertThat(world.world().find(nonsense).lastErrorCode()).isEqualTo("EVENT_PAYLOAD_INVALID");
    assertThat(world.world().find(nobody).lastErrorCode()).isEqualTo("PUBLICATION_NOT_FOUND");
    assertThat(world.platform().calls()).isEmpty();
  }

  private NewTask writeAndSend() throws Exception {
    NewTask task = write(publicationId);
    world.world().send(task);
    return task;
  }

  private NewTask write(UUID id) throws SQLException {
    NewTask task = task(payload(id), draft.id());
    return world.inWorkspace(
        connection -> {
          TaskWriter.append(connection, task);
          PublicationStore.insert(connection, id, task.operationId(), draft);
          return task;
        });
  }

  private String payload(UUID publication) {
    return """
        {"publication_id":"%s","draft_id":"%s","draft_revision":1,"store_id":"%s"}"""
        .formatted(publication, draft.id(), world.storeId());
  }

  private static NewTask task(String payload, UUID draftId) {
    return PlatformWorld.task(
        PublicationStore.OPERATION_KIND,
        NewEvent.of("listing.publish_requested", "listing", draftId.toString(), payload)
            .withResource(PublicationStore.SUBJECT_TYPE, draftId.toString()));
  }

  private Publication publication() throws SQLException {
    return world.inWorkspace(
        connection -> PublicationStore.find(connection, publicationId).orElseThrow());
  }
}
