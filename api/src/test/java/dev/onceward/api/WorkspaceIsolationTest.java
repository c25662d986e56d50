package dev.onceward.api;

import static dev.onceward.api.TestApi.newStoreBody;
import static dev.onceward.api.TestApi.operationId;
import static dev.onceward.api.TestApi.storeId;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two workspaces that share the only pooled connection. */
@Tag("S50")
@ExtendWith(InfrastructureExtension.class)
class WorkspaceIsolationTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private final TestClient a;
  private final TestClient b;
  private final String storeOfA;
  private final String operationOfA;
  private String storeOfB = "";

  WorkspaceIsolationTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api =
        TestApi.start(
            database,
            Map.of(
                "onceward.api.pool-size", "1",
                "onceward.api.pool-timeout", "20s",
                "onceward.api.statement-timeout", "500ms"));
    a = api.newClient();
    b = api.newClient();
    JsonNode created = a.post("/v1/stores", newStoreBody()).expect(202).json();
    storeOfA = storeId(created);
    operationOfA = operationId(created);
  }

  @BeforeEach
  void storeOfB() {
    storeOfB = storeId(b.post("/v1/stores", newStoreBody()).expect(202).json());
  }

  @AfterEach
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void after_a_request_that_succeeded() {
    a.get("/v1/stores").expect(200);
    assertThatBSeesOnlyItsOwn();
    a.post("/v1/stores", newStoreBody()).expect(202);
    assertThatBSeesOnlyItsOwn();
  }

  @Test
  void after_a_request_that_was_refused() {
    a.post("/v1/stores", "{}").expectProblem(400, "FIELD_REQUIRED");
    assertThatBSeesOnlyItsOwn();
  }

  @Test
  void after_a_request_that_failed() throws Exception {
    api.sql("ALTER TABLE onceward.stores ADD CONSTRAINT broken CHECK (name <> 'broken')");
    a.post("/v1/stores", newStoreBody().replace("A shop", "broken"))
        .expectProblem(500, "INTERNAL_ERROR");
    assertThatBSeesOnlyItsOwn();
  }

  @Test
  void after_a_request_that_timed_out() throws Exception {
    try (Connection blocker = database.superuser();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.idempotency_requests IN EXCLUSIVE MODE");
      a.post("/v1/stores", newStoreBody()).expectProblem(503, "DATABASE_TIMEOUT");
      blocker.rollback();
    }
    assertThatBSeesOnlyItsOwn();
  }

  @Test
  void after_a_request_whose_client_went_away() throws Exception {
    String body = newStoreBody();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST /v1/stores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                      + a.accessKey()
                      + "\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body)
                  .getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    }
    assertThatBSeesOnlyItsOwn();
  }

  private void assertThatBSeesOnlyItsOwn() {
    JsonNode stores = b.get("/v1/stores").expect(200).json().get("items");
    assertThat(stores.findValuesAsText("id")).containsExactly(storeOfB);
    assertThat(
            b.get("/v1/operations").expect(200).json().get("items").findValuesAsText("subject_id"))
        .containsExactly(storeOfB);
    b.get("/v1/stores/" + storeOfA).expectProblem(404, "NOT_FOUND");
    b.get("/v1/operations/" + operationOfA).expectProblem(404, "NOT_FOUND");
    b.send(
            "PUT",
            "/v1/stores/" + storeOfA + "/credentials",
            "{\"credentials\":{\"a\":\"b\"}}",
            "Idempotency-Key",
            "k")
        .expectProblem(404, "NOT_FOUND");
    assertThat(a.get("/v1/stores/" + storeOfA).expect(200).json().get("credential_version").asInt())
        .isEqualTo(1);
  }
}
