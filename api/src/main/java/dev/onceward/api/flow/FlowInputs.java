package dev.onceward.api.flow;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.json.Fields;
import dev.onceward.db.flow.Flow;
import dev.onceward.db.secret.SecretGuard;
import dev.onceward.db.store.StoreAuthorizationStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** What each flow is started with. */
final class FlowInputs {
  private static final int MAX_TEXT_CHARACTERS = 200;
  private static final int MAX_NOTE_CHARACTERS = 2_000;

  private FlowInputs() {}

  /**
   * Reads the members that the flow takes; others are the caller's to refuse or ignore.
   *
   * @return a JSON object
   */
  static String read(
      Connection connection, Flow flow, Fields fields, StoreAuthorizationStore stores)
      throws SQLException {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    switch (flow) {
      case LISTING_REVIEW -> {
        input.put("listing_id", fields.text("listing_id", MAX_TEXT_CHARACTERS));
        input.put("title", fields.text("title", MAX_TEXT_CHARACTERS));
        if (fields.has("note")) {
          input.put("note", fields.multilineText("note", MAX_NOTE_CHARACTERS));
        }
      }
      case STORE_CHECK -> {
        UUID storeId = fields.id("store_id");
        if (stores.find(connection, storeId).isEmpty()) {
          throw fields.invalid("store_id", "must be the id of a store of this workspace");
        }
        input.put("store_id", storeId.toString());
      }
    }
    String json = input.toString();
    SecretGuard.requireNoneInJson("the input of a run", json);
    return json;
  }
}
