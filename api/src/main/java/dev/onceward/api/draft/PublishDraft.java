package dev.onceward.api.draft;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.Fields;
import dev.onceward.api.operation.OperationJson;
import dev.onceward.api.operation.TaskStart;
import dev.onceward.db.UuidV7;
import dev.onceward.db.draft.Draft;
import dev.onceward.db.draft.DraftStore;
import dev.onceward.db.draft.PublicationStore;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.outbox.NewEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** {@code POST /v1/drafts/{id}/publications}: the draft as it stands, once. */
record PublishDraft() implements Scenario {
  private static final String EVENT_TYPE = "listing.publish_requested";
  private static final String AGGREGATE_TYPE = "listing";

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    Draft draft =
        DraftStore.find(connection, request.id("draft"))
            .orElseThrow(() -> Request.notFound("draft").exception());
    UUID publicationId = UuidV7.next();
    String payload =
        JsonNodeFactory.instance
            .objectNode()
            .put("publication_id", publicationId.toString())
            .put("draft_id", draft.id().toString())
            .put("draft_revision", draft.revision())
            .put("store_id", draft.content().storeId().toString())
            .toString();
    Operation operation =
        TaskStart.write(
            connection,
            request,
            PublicationStore.OPERATION_KIND,
            NewEvent.of(EVENT_TYPE, AGGREGATE_TYPE, draft.id().toString(), payload)
                .withResource(PublicationStore.SUBJECT_TYPE, draft.id().toString()));
    PublicationStore.insert(connection, publicationId, operation.id(), draft);
    return OperationJson.accepted(
        operation,
        "publication",
        DraftJson.of(
            PublicationStore.find(connection, publicationId)
                .orElseThrow(() -> new IllegalStateException("it was just written"))));
  }
}
