package dev.onceward.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import java.sql.SQLException;

/** Calls everything about media and material transfers. */
record MediaJourney(DescribedClient client, TestApi api) {

  void drive() throws SQLException {
    String ready = upload();
    String rejected = upload();
    // What the inspection would write.
    api.sql(
        """
        UPDATE onceward.media SET status = 'ready', detected_type = 'image/png', width_pixels = 1, height_pixels = 1
          WHERE id = '%s';
        UPDATE onceward.media SET status = 'rejected', detected_type = 'text/plain', rejection_code = 'type_mismatch'
          WHERE id = '%s'
        """
            .formatted(ready, rejected));
    client.call("getMedia", "{id}", ready);
    client.call("getMediaContent", "{id}", ready);
    client.call("getMedia", "{id}", rejected);
    client.call("listMedia", "?limit", "1");

    String transfer = requestTransfer();
    api.sql(
        "UPDATE onceward.material_transfers SET status = 'stored', media_id = '%s' WHERE id = '%s'"
            .formatted(ready, transfer));
    client.call("getMaterialTransfer", "{id}", transfer);
    requestTransfer();
    client.call("listMaterialTransfers", "?limit", "1");
  }

  private String upload() {
    String id = client.call("registerMedia").get("id").asText();
    client.send("putMediaContent", "abc", "application/octet-stream", "{id}", id);
    JsonNode completed = client.call("completeMedia", "{id}", id);
    return completed.at("/media/id").asText();
  }

  private String requestTransfer() {
    return client.call("requestMaterialTransfer").at("/material_transfer/id").asText();
  }
}
