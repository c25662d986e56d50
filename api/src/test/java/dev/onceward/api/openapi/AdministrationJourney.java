package dev.onceward.api.openapi;

import dev.onceward.api.TestApi;
import java.sql.SQLException;

/** Calls everything about the workspace, its users and their access keys. */
record AdministrationJourney(DescribedClient client, TestApi api) {

  void drive() throws SQLException {
    client.call("getWorkspace");
    client.call("renameWorkspace");
    client.call("createWorkspace");
    String user = client.call("createUser").get("id").asText();
    client.call("changeUser", "{id}", user);
    client.call("getUser", "{id}", user);
    client.call("listUsers", "?limit", "1");

    String first = client.call("createAccessKey").get("key_id").asText();
    client.call("rotateAccessKey", "{keyId}", first);
    // The service writes it now and then.
    api.sql("UPDATE onceward.access_keys SET last_used_at = now()");
    client.call("getAccessKey", "{keyId}", first);
    client.call("revokeAccessKey", "{keyId}", first);
    client.call("listAccessKeys", "?limit", "1");
  }
}
