package dev.onceward.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import java.sql.SQLException;

/** Calls everything about stores and operations. */
record StoreJourney(DescribedClient client, TestApi api) {

  void drive() throws SQLException {
    JsonNode created = client.call("createStore");
    String store = created.at("/store/id").asText();
    String operation = created.at("/operation/id").asText();
    String replaced =
        client.call("replaceStoreCredentials", "{id}", store).at("/operation/id").asText();
    client.call("verifyStoreCredentials", "{id}", store);

    // What the workers would write.
    api.sql(
        """
        UPDATE onceward.stores SET verification = 'verified', verified_at = now(), account_name = 'corner' WHERE id = '%s';
        UPDATE onceward.operations SET state = 'succeeded', attempt = 1, result = '{}', finished_at = now() WHERE id = '%s';
        UPDATE onceward.operations SET state = 'waiting_retry', attempt = 1, next_attempt_at = now() + interval '1 day',
          last_error_code = 'PLATFORM_AWAY', last_error_summary = 'It was away.' WHERE id = '%s'
        """
            .formatted(store, operation, replaced));
    client.call("getStore", "{id}", store);
    client.call("listStores", "?limit", "1", "?after", "ffffffff-ffff-7fff-bfff-ffffffffffff");
    client.call("getOperation", "{id}", operation, "?wait", "20s");
    client.call("getOperation", "{id}", replaced);
    client.call("listOperations", "?limit", "1");
  }
}
