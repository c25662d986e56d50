package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.db.store.StoreAuthorization;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.worker.PlatformDouble.Answer;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandlerEnvironment;
import dev.onceward.worker.handle.HandlerProvider;
import dev.onceward.worker.handle.MaterialRules;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class VerifyStoreCredentialsTest {

  private static final String TRACEPARENT =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String CREDENTIALS =
      "{\"app_key\":\"a-plain-secret\",\"app_secret\":\"a \\u0000 secret\"}";

  private final CredentialCipher cipher = new CredentialCipher(Map.of("k1", new byte[32]));
  private final StoreAuthorizationStore stores = new StoreAuthorizationStore(cipher);
  private PlatformDouble platform;
  private WorkerWorld world;
  private UUID storeId;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    platform = new PlatformDouble();
    world = new WorkerWorld(server, topics, 1);
    topics.create("store", 1);
    storeId =
        world
            .app()
            .inWorkspace(
                world.tenant().workspaceId(),
                connection ->
                    stores.insert(connection, "shopline", "shop-42", "My shop", CREDENTIALS))
            .orElseThrow()
            .id();
    startWorker();
  }

  private void startWorker() throws InterruptedException {
    HandlerEnvironment environment =
        new HandlerEnvironment(
            cipher, platform.uri(), Duration.ofSeconds(1), MaterialRules.DEFAULT);
    List<EventHandler> handlers =
        ServiceLoader.load(HandlerProvider.class).stream()
            .<EventHandler>flatMap(provider -> provider.get().handlers(environment).stream())
            .toList();
    world.start(handlers);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
    platform.close();
  }

  @Test
  void valid_credentials_make_a_verified_store() throws Exception {
    NewTask task = submit(1);
    world.awaitState(OperationState.SUCCEEDED, task);

    StoreAuthorization store = store();
    assertThat(store.verification()).isEqualTo("verified");
    assertThat(store.accountName()).isEqualTo("A shop");
    assertThat(store.verifiedAt()).isNotNull();
    assertThat(world.find(task).result())
        .isEqualTo("{\"outcome\":\"verified\",\"credential_version\":1}");
    assertThat(platform.calls())
        .containsExactly(
            new PlatformDouble.Call(
                "POST",
                "/v1/credential-verifications",
                task.event().id().toString(),
                TRACEPARENT,
                "{\"platform\":\"shopline\",\"external_id\":\"shop-42\",\"credentials\":"
                    + CREDENTIALS
                    + "}"));
  }

  @Test
  void a_platform_that_gives_credentials_back_as_a_name_is_not_believed() throws Exception {
    for (String name : List.of("shop of a-plain-secret", "sk-abcdefghijklmnopqrstuvwxyz")) {
      platform.answer(call -> Answer.of(200, "{\"valid\":true,\"account_name\":\"" + name + "\"}"));
      NewTask task = submit(1);
      world.awaitState(OperationState.SUCCEEDED, task);

      assertThat(store().verification()).isEqualTo("verified");
      assertThat(store().accountName()).as(name).isNull();
    }
  }

  @Test
  void invalid_credentials_are_a_success_that_says_so() throws Exception {
    platform.answer(call -> Answer.of(200, "{\"valid\":false}"));
    NewTask task = submit(1);
    world.awaitState(OperationState.SUCCEEDED, task);

    assertThat(store().verification()).isEqualTo("invalid");
    assertThat(world.find(task).result())
        .isEqualTo("{\"outcome\":\"invalid\",\"credential_version\":1}");
  }

  @Test
  void a_refusal_of_the_platform_is_permanent() throws Exception {
    platform.answer(call -> Answer.of(422, "{\"error\":\"a secret\"}"));
    NewTask task = submit(1);
    world.awaitState(OperationState.FAILED, task);

    Operation failed = world.find(task);
    assertThat(failed.lastErrorCode()).isEqualTo("PLATFORM_REJECTED");
    assertThat(failed.lastErrorSummary()).doesNotContain("secret");
    assertThat(failed.attempt()).isEqualTo(1);
    assertThat(store().verification()).isEqualTo("pending");
  }

  @Test
  void whatever_may_pass_is_tried_again_with_the_same_key() throws Exception {
    List<Answer> bad =
        List.of(
            Answer.of(503, ""),
            new Answer(429, "", "0"),
            Answer.of(500, "oops"),
            Answer.of(302, ""),
            Answer.of(200, "not json"),
            Answer.of(200, "{\"valid\":\"yes\"}"),
            Answer.of(0, null));
    AtomicInteger number = new AtomicInteger();
    platform.answer(
        call -> {
          int now = number.getAndIncrement();
          return now < bad.size() ? bad.get(now) : Answer.of(200, "{\"valid\":true}");
        });
    NewTask task = submit(1);
    world.awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.find(task).attempt()).isEqualTo(bad.size() + 1);
    assertThat(platform.calls())
        .hasSize(bad.size() + 1)
        .extracting(PlatformDouble.Call::idempotencyKey)
        .containsOnly(task.event().id().toString());
  }

  @Test
  void credentials_that_were_replaced_before_are_not_asked_about() throws Exception {
    replaceCredentials();
    NewTask task = submit(1);
    world.awaitState(OperationState.SUCCEEDED, task);

    assertThat(platform.calls()).isEmpty();
    assertThat(world.find(task).result())
        .isEqualTo("{\"outcome\":\"superseded\",\"credential_version\":1}");
    assertThat(store().verification()).isEqualTo("pending");
  }

  @Test
  void credentials_that_are_replaced_meanwhile_do_not_get_the_others_verdict() throws Exception {
    platform.answer(
        call -> {
          try {
            replaceCredentials();
          } catch (SQLException failure) {
            throw new IllegalStateException(failure);
          }
          return Answer.of(200, "{\"valid\":true}");
        });
    NewTask task = submit(1);
    world.awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.find(task).result())
        .isEqualTo("{\"outcome\":\"superseded\",\"credential_version\":1}");
    assertThat(store().verification()).isEqualTo("pending");
  }

  @Test
  void a_payload_or_a_store_that_is_not_there_fails_at_once() throws Exception {
    NewTask nonsense = write("{\"store_id\":7}");
    world.database().wrongOnPurpose(nonsense.event().id());
    NewTask nobody =
        write("{\"store_id\":\"%s\",\"credential_version\":1}".formatted(UUID.randomUUID()));
    world.awaitState(OperationState.FAILED, nonsense, nobody);

    assertThat(world.find(nonsense).lastErrorCode()).isEqualTo("EVENT_PAYLOAD_INVALID");
    assertThat(world.find(nobody).lastErrorCode()).isEqualTo("STORE_NOT_FOUND");
    assertThat(platform.calls()).isEmpty();
  }

  private void replaceCredentials() throws SQLException {
    var unused =
        world
            .app()
            .inWorkspace(
                world.tenant().workspaceId(),
                connection -> stores.replaceCredentials(connection, storeId, CREDENTIALS));
  }

  private StoreAuthorization store() throws SQLException {
    return world
        .app()
        .inWorkspace(world.tenant().workspaceId(), connection -> stores.find(connection, storeId))
        .orElseThrow();
  }

  private NewTask submit(int credentialVersion) throws Exception {
    return write(
        "{\"store_id\":\"%s\",\"credential_version\":%d}".formatted(storeId, credentialVersion));
  }

  private NewTask write(String payload) throws Exception {
    NewTask task =
        NewTask.of(
            "verify_store_credentials",
            NewEvent.of("store.credentials_submitted", "store", storeId.toString(), payload)
                .withTrace("request-1", "correlation-1", TRACEPARENT));
    world.writeAndSend(task);
    return task;
  }
}
