package dev.onceward.api.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.operation.OperationJson;
import dev.onceward.api.operation.TaskStart;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.store.StoreAuthorization;
import java.sql.Connection;
import java.sql.SQLException;

/** Asks for the verification of a store's credentials. */
final class StoreTasks {
  static final String SUBMITTED = "store.credentials_submitted";
  static final String REQUESTED = "store.verification_requested";
  private static final String KIND = "verify_store_credentials";

  private StoreTasks() {}

  /** Writes operation and event, and answers with operation and store. */
  static Answer verify(
      Connection connection, Request request, StoreAuthorization store, String eventType)
      throws SQLException {
    String payload =
        JsonNodeFactory.instance
            .objectNode()
            .put("store_id", store.id().toString())
            .put("credential_version", store.credentialVersion())
            .toString();
    NewEvent event =
        NewEvent.of(eventType, "store", store.id().toString(), payload)
            .withBusinessKey(store.externalId());
    return OperationJson.accepted(
        TaskStart.write(connection, request, KIND, event), "store", StoreJson.of(store));
  }
}
