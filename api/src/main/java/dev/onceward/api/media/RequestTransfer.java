package dev.onceward.api.media;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.Fields;
import dev.onceward.api.operation.OperationJson;
import dev.onceward.api.operation.TaskStart;
import dev.onceward.db.media.MaterialTransfer;
import dev.onceward.db.media.MaterialTransferStore;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.outbox.NewEvent;
import java.sql.Connection;
import java.sql.SQLException;

/** {@code POST /v1/material-transfers}: have a material fetched and kept as media. */
record RequestTransfer() implements Scenario {
  private static final String EVENT_TYPE = "material.transfer_requested";
  private static final String KIND = "transfer_material";
  private static final String AGGREGATE_TYPE = "material_transfer";

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    String sourceUrl = SourceUrl.read(body);
    MaterialTransfer transfer =
        MaterialTransferStore.insert(connection, sourceUrl, MediaFields.fileName(body));
    String id = transfer.id().toString();
    String payload =
        JsonNodeFactory.instance.objectNode().put("material_transfer_id", id).toString();
    Operation operation =
        TaskStart.write(
            connection, request, KIND, NewEvent.of(EVENT_TYPE, AGGREGATE_TYPE, id, payload));
    return OperationJson.accepted(operation, "material_transfer", MediaJson.of(transfer));
  }
}
