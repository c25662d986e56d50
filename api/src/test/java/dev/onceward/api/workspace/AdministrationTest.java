package dev.onceward.api.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workspaces, users and access keys over HTTP. */
@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdministrationTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private Tenant tenant;
  private TestClient administrator;

  AdministrationTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    tenant = database.newTenant();
    administrator = api.client(tenant);
  }

  @BeforeEach
  void newWorkspace() throws SQLException {
    tenant = database.newTenant();
    administrator = api.client(tenant);
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void a_workspace_is_read_by_all_and_named_by_administrators() {
    TestClient member = newUser("member");
    assertThat(member.get("/v1/workspace").expect(200).json().get("id").asText())
        .isEqualTo(tenant.workspaceId().toString());

    patch(member, "/v1/workspace", "{\"name\":\"x\"}").expectProblem(403, "ROLE_REQUIRED");
    patch(administrator, "/v1/workspace", "{\"name\":\"Söhne & Co\"}").expect(200);

    assertThat(member.get("/v1/workspace").expect(200).json().get("name").asText())
        .isEqualTo("Söhne & Co");
  }

  @Test
  void only_an_installation_administrator_makes_workspaces() throws Exception {
    String body = "{\"name\":\"new\",\"administrator_name\":\"Ada\"}";
    administrator.send("POST", "/v1/workspaces", body).expectProblem(403, "ROLE_REQUIRED");

    Reply made = installationAdministrator().send("POST", "/v1/workspaces", body).expect(201);

    assertThat(made.header("Cache-Control")).isEqualTo("no-store");
    TestClient first = new TestClient(api.port(), made.json().at("/key/access_key").asText());
    assertThat(first.get("/v1/workspace").expect(200).json())
        .isEqualTo(made.json().get("workspace"));
    first.send("POST", "/v1/users", "{\"name\":\"Bob\"}").expect(201);
    assertThat(first.get("/v1/users").expect(200).json().get("items")).hasSize(2);
  }

  @Test
  void users_are_made_read_and_changed_by_administrators() {
    JsonNode made =
        administrator
            .send("POST", "/v1/users", "{\"name\":\"Bob\",\"role\":\"administrator\"}")
            .expect(201)
            .json();
    String path = "/v1/users/" + made.get("id").asText();
    assertThat(administrator.get(path).expect(200).json()).isEqualTo(made);
    assertThat(made.get("disabled").asBoolean()).isFalse();

    JsonNode changed =
        patch(administrator, path, "{\"name\":\"Bo\",\"role\":\"member\"}").expect(200).json();

    assertThat(changed.get("name").asText()).isEqualTo("Bo");
    assertThat(changed.get("role").asText()).isEqualTo("member");
    assertThat(patch(administrator, path, "{}").expect(200).json().get("name").asText())
        .isEqualTo("Bo");
    TestClient member = newUser("member");
    member.get(path).expect(200);
    member.send("POST", "/v1/users", "{\"name\":\"x\"}").expectProblem(403, "ROLE_REQUIRED");
    patch(member, path, "{\"name\":\"x\"}").expectProblem(403, "ROLE_REQUIRED");
  }

  @Test
  void bad_users_and_keys_are_refused_by_field_and_leave_no_row() throws Exception {
    UUID stranger = database.newTenant().userId();
    String before = counts();
    for (String body :
        List.of(
            "{\"name\":\"x\",\"role\":\"installation_administrator\"}",
            "{\"name\":\"x\",\"role\":\"boss\"}",
            "{\"name\":\"\"}",
            "{\"name\":\"x\",\"role\":null}")) {
      administrator.send("POST", "/v1/users", body).expectProblem(400, "FIELD_INVALID");
    }
    administrator.send("POST", "/v1/users", "{}").expectProblem(400, "FIELD_REQUIRED");
    administrator
        .send("POST", "/v1/users", "{\"name\":\"x\",\"disabled\":true}")
        .expectProblem(400, "FIELD_UNKNOWN");
    Reply secret =
        administrator
            .send("POST", "/v1/access-keys", "{\"name\":\"" + administrator.accessKey() + "\"}")
            .expectProblem(400, "SECRET_REFUSED");
    assertThat(secret.json().get("field").asText()).isEqualTo("/name");
    for (String body :
        List.of(
            "{\"name\":\"k\",\"user_id\":\"me\"}",
            "{\"name\":\"k\",\"user_id\":\"" + UUID.randomUUID() + "\"}",
            "{\"name\":\"k\",\"user_id\":\"" + stranger + "\"}")) {
      Reply refused =
          administrator.send("POST", "/v1/access-keys", body).expectProblem(400, "FIELD_INVALID");
      assertThat(refused.json().get("field").asText()).isEqualTo("/user_id");
    }
    assertThat(counts()).isEqualTo(before);
  }

  @Test
  void a_disabled_user_is_an_unknown_one_at_once() {
    TestClient member = newUser("member");
    String id = member.get("/v1/access-keys").json().at("/items/0/user_id").asText();
    String path = "/v1/users/" + id;

    assertThat(
            patch(administrator, path, "{\"disabled\":true}").expect(200).json().has("disabled_at"))
        .isTrue();

    Reply refused = member.get("/v1/stores").expectProblem(401, "UNAUTHENTICATED");
    Reply unknown =
        new TestClient(api.port(), "ow_" + "0".repeat(16) + "_" + "x".repeat(43))
            .get("/v1/stores")
            .expectProblem(401, "UNAUTHENTICATED");
    assertThat(refused.body()).isEqualTo(unknown.body());
    assertThat(refused.header("WWW-Authenticate")).isEqualTo(unknown.header("WWW-Authenticate"));
    administrator
        .send("POST", "/v1/access-keys", "{\"name\":\"k\",\"user_id\":\"" + id + "\"}")
        .expectProblem(409, "USER_DISABLED");
    patch(administrator, path, "{\"disabled\":false}").expect(200);
    member.get("/v1/stores").expect(200);
  }

  @Test
  void the_last_administrator_cannot_be_locked_out() {
    String self = "/v1/users/" + tenant.userId();
    String ownKey = "/v1/access-keys/" + tenant.accessKey().keyId();
    // A second administrator without a key could not call either.
    administrator
        .send("POST", "/v1/users", "{\"name\":\"Bob\",\"role\":\"administrator\"}")
        .expect(201);

    patch(administrator, self, "{\"role\":\"member\"}").expectProblem(409, "LAST_ADMINISTRATOR");
    patch(administrator, self, "{\"disabled\":true}").expectProblem(409, "LAST_ADMINISTRATOR");
    administrator.send("DELETE", ownKey, null).expectProblem(409, "LAST_ADMINISTRATOR");

    administrator.get("/v1/stores").expect(200);
    TestClient second = newUser("administrator");
    administrator.send("DELETE", ownKey, null).expect(200);
    administrator.get("/v1/stores").expectProblem(401, "UNAUTHENTICATED");
    second.get("/v1/users").expect(200);
  }

  @Test
  void two_administrators_that_demote_each_other_at_once_leave_one() throws Exception {
    for (int round = 0; round < 5; round++) {
      newWorkspace();
      TestClient second = newUser("administrator");
      String secondId = userIdOf(second);
      String demote = "{\"role\":\"member\"}";
      List<CompletableFuture<Reply>> replies = new ArrayList<>();
      replies.add(administrator.sendLater("PATCH", "/v1/users/" + secondId, demote));
      replies.add(second.sendLater("PATCH", "/v1/users/" + tenant.userId(), demote));

      for (CompletableFuture<Reply> reply : replies) {
        assertThat(reply.get(20, TimeUnit.SECONDS).status()).isIn(200, 403, 409);
      }

      JsonNode users = administrator.get("/v1/users").expect(200).json().get("items");
      assertThat(users.findValuesAsText("role")).contains("administrator");
    }
  }

  @Test
  void members_look_after_their_own_keys_only() {
    TestClient member = newUser("member");
    TestClient other = newUser("member");
    String otherKey = other.get("/v1/access-keys").json().at("/items/0/key_id").asText();
    Reply made = member.send("POST", "/v1/access-keys", "{\"name\":\"laptop\"}").expect(201);
    assertThat(made.header("Location"))
        .isEqualTo("/v1/access-keys/" + made.json().get("key_id").asText());

    assertThat(member.get("/v1/access-keys").json().get("items")).hasSize(2);
    member.get("/v1/access-keys?user_id=" + tenant.userId()).expectProblem(403, "ROLE_REQUIRED");
    member
        .send("POST", "/v1/access-keys", "{\"name\":\"k\",\"user_id\":\"" + tenant.userId() + "\"}")
        .expectProblem(403, "ROLE_REQUIRED");
    Reply foreign = member.get("/v1/access-keys/" + otherKey).expectProblem(404, "NOT_FOUND");
    Reply unknown = member.get("/v1/access-keys/0000000000").expectProblem(404, "NOT_FOUND");
    assertThat(foreign.body()).isEqualTo(unknown.body());
    member.send("DELETE", "/v1/access-keys/" + otherKey, null).expectProblem(404, "NOT_FOUND");
    member
        .send("POST", "/v1/access-keys/" + otherKey + "/rotation", "{}")
        .expectProblem(404, "NOT_FOUND");
    assertThat(administrator.get("/v1/access-keys?limit=2").json().get("items")).hasSize(2);
    String next = administrator.get("/v1/access-keys?limit=2").json().get("next").asText();
    assertThat(administrator.get("/v1/access-keys?limit=2&after=" + next).json().get("items"))
        .hasSize(2);
  }

  @Test
  void a_rotated_key_works_on_for_the_overlap_and_its_successor_at_once() {
    TestClient member = newUser("member");
    String keyId = member.get("/v1/access-keys").json().at("/items/0/key_id").asText();
    String rotation = "/v1/access-keys/" + keyId + "/rotation";
    member.send("POST", rotation, "{\"overlap_seconds\":1.5}").expectProblem(400, "FIELD_INVALID");

    JsonNode made = member.send("POST", rotation, "{}").expect(201).json();

    TestClient next = new TestClient(api.port(), made.get("access_key").asText());
    next.get("/v1/stores").expect(200);
    member.get("/v1/stores").expect(200);
    assertThat(made.at("/replaced/state").asText()).isEqualTo("ending");
    assertThat(made.at("/replaced/replaced_by").asText()).isEqualTo(made.get("key_id").asText());
    member.send("POST", rotation, "{}").expectProblem(409, "ACCESS_KEY_NOT_ACTIVE");

    JsonNode third =
        next.send(
                "POST",
                "/v1/access-keys/" + made.get("key_id").asText() + "/rotation",
                "{\"overlap_seconds\":0}")
            .expect(201)
            .json();
    next.get("/v1/stores").expectProblem(401, "UNAUTHENTICATED");
    TestClient last = new TestClient(api.port(), third.get("access_key").asText());
    JsonNode ended = last.get("/v1/access-keys/" + made.get("key_id").asText()).expect(200).json();
    assertThat(ended.get("state").asText()).isEqualTo("ended");
    assertThat(ended.has("access_key") || ended.toString().contains("hash")).isFalse();
  }

  @Test
  void one_rotation_of_many_at_once_wins() throws Exception {
    TestClient member = newUser("member");
    String keyId = member.get("/v1/access-keys").json().at("/items/0/key_id").asText();
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      replies.add(member.sendLater("POST", "/v1/access-keys/" + keyId + "/rotation", "{}"));
    }
    List<Integer> statuses = new ArrayList<>();
    for (CompletableFuture<Reply> reply : replies) {
      statuses.add(reply.get(20, TimeUnit.SECONDS).status());
    }
    assertThat(statuses).containsOnlyOnce(201).contains(409).doesNotContain(500, 503);
    assertThat(member.get("/v1/access-keys").json().get("items")).hasSize(2);
  }

  @Test
  void a_revoked_key_ends_at_once_and_revoking_it_again_changes_nothing() {
    JsonNode made =
        administrator.send("POST", "/v1/access-keys", "{\"name\":\"k\"}").expect(201).json();
    TestClient holder = new TestClient(api.port(), made.get("access_key").asText());
    holder.get("/v1/stores").expect(200);
    String path = "/v1/access-keys/" + made.get("key_id").asText();

    Reply first = administrator.send("DELETE", path, null).expect(200);

    holder.get("/v1/stores").expectProblem(401, "UNAUTHENTICATED");
    assertThat(first.json().get("state").asText()).isEqualTo("revoked");
    assertThat(administrator.send("DELETE", path, null).expect(200).body()).isEqualTo(first.body());
    api.client(otherTenant()).send("DELETE", path, null).expectProblem(404, "NOT_FOUND");
  }

  @Test
  void an_installation_administrator_is_out_of_reach_of_the_workspaces_administrators()
      throws Exception {
    TestClient mighty = installationAdministrator();
    String id = userIdOf(mighty);
    String keyId =
        mighty.get("/v1/access-keys?user_id=" + id).json().at("/items/0/key_id").asText();

    patch(administrator, "/v1/users/" + id, "{\"disabled\":true}")
        .expectProblem(403, "USER_PROTECTED");
    administrator
        .send("POST", "/v1/access-keys", "{\"name\":\"k\",\"user_id\":\"" + id + "\"}")
        .expectProblem(403, "USER_PROTECTED");
    administrator
        .send("POST", "/v1/access-keys/" + keyId + "/rotation", "{}")
        .expectProblem(403, "USER_PROTECTED");
    administrator
        .send("DELETE", "/v1/access-keys/" + keyId, null)
        .expectProblem(403, "USER_PROTECTED");
    mighty.send("POST", "/v1/access-keys/" + keyId + "/rotation", "{}").expect(201);
  }

  @Test
  void the_last_use_of_keys_is_written_behind_the_requests_in_one_go() throws Exception {
    Tenant other = otherTenant();
    AccessKeyUse use = new AccessKeyUse(database.app());
    use.accept(tenant.accessKey().keyId());
    use.accept(other.accessKey().keyId());
    use.accept("0000000000000000");

    use.runOnce();

    String mine = lastUse(tenant);
    assertThat(mine).isNotNull();
    assertThat(lastUse(other)).isNotNull();
    use.accept(tenant.accessKey().keyId());
    use.runOnce();
    AccessKeyUse secondInstance = new AccessKeyUse(database.app());
    secondInstance.accept(tenant.accessKey().keyId());
    secondInstance.runOnce();
    assertThat(lastUse(tenant)).as("once a minute").isEqualTo(mine);
    api.sql("UPDATE onceward.access_keys SET last_used_at = last_used_at - interval '2 minutes'");
    secondInstance = new AccessKeyUse(database.app());
    secondInstance.accept(tenant.accessKey().keyId());
    secondInstance.runOnce();
    assertThat(lastUse(tenant)).isNotEqualTo(mine);
  }

  private Tenant otherTenant() {
    try {
      return database.newTenant();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private String lastUse(Tenant of) {
    return api.client(of)
        .get("/v1/access-keys/" + of.accessKey().keyId())
        .expect(200)
        .json()
        .path("last_used_at")
        .asText(null);
  }

  /** A client of a new user of the workspace. */
  private TestClient newUser(String role) {
    String id =
        administrator
            .send("POST", "/v1/users", "{\"name\":\"u\",\"role\":\"" + role + "\"}")
            .expect(201)
            .json()
            .get("id")
            .asText();
    Reply key =
        administrator
            .send("POST", "/v1/access-keys", "{\"name\":\"k\",\"user_id\":\"" + id + "\"}")
            .expect(201);
    assertThat(key.header("Cache-Control")).isEqualTo("no-store");
    return new TestClient(api.port(), key.json().get("access_key").asText());
  }

  private static String userIdOf(TestClient client) {
    String keyId = client.accessKey().split("_", -1)[1];
    return client.get("/v1/access-keys/" + keyId).expect(200).json().get("user_id").asText();
  }

  private TestClient installationAdministrator() throws SQLException {
    try (Connection operator = database.connect("onceward_ops")) {
      operator.setAutoCommit(false);
      WorkspaceContext.set(operator, tenant.workspaceId());
      UUID id = UserStore.create(operator, "an operator", Role.INSTALLATION_ADMINISTRATOR);
      String key = AccessKeyStore.create(operator, id, "k").reveal();
      operator.commit();
      return new TestClient(api.port(), key);
    }
  }

  private static Reply patch(TestClient client, String path, String body) {
    return client.send("PATCH", path, body);
  }

  private String counts() throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT (SELECT count(*) FROM onceward.users) || ' ' || (SELECT count(*) FROM onceward.access_keys)")) {
      row.next();
      return row.getString(1);
    }
  }
}
