package dev.onceward.db.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.secret.SecretFoundException;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class IdempotencyStoreTest {

  private static final Duration KEEP = Duration.ofDays(2);
  private static final StoredAnswer ANSWER =
      new StoredAnswer(202, "{\"Location\":\"/v1/operations/1\"}", "{\"a\": 1}");

  private MigratedDatabase database;
  private Tenant tenant;
  private RequestScope scope;

  @BeforeEach
  void tenant(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    tenant = database.newTenant();
    scope = new RequestScope(tenant.workspaceId(), tenant.userId(), "POST", "/v1/stores", "key-1");
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void a_committed_answer_is_found_and_a_rolled_back_one_is_not() throws SQLException {
    try (Connection connection = database.connect("onceward_app")) {
      connection.setAutoCommit(false);
      assertThat(IdempotencyStore.tryLock(connection, scope, 7)).isTrue();
      assertThat(store(connection)).isTrue();
      connection.rollback();
      assertThat(IdempotencyStore.tryLock(connection, scope, 7)).isTrue();
      assertThat(IdempotencyStore.find(connection, scope)).isEmpty();
      assertThat(store(connection)).isTrue();
      connection.commit();
      IdempotencyStore.tryLock(connection, scope, 7);
      StoredRequest found = IdempotencyStore.find(connection, scope).orElseThrow();
      assertThat(found.answer()).isEqualTo(ANSWER);
      assertThat(found.fingerprint()).isEqualTo(new byte[32]);
      assertThat(found.fingerprintKeyId()).isEqualTo("k1");
      assertThat(store(connection)).as("a second answer in the same scope").isFalse();
    }
  }

  @Test
  void only_one_transaction_at_a_time_holds_a_scope() throws SQLException {
    try (Connection first = database.connect("onceward_app");
        Connection second = database.connect("onceward_app")) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      assertThat(IdempotencyStore.tryLock(first, scope, 42)).isTrue();
      assertThat(IdempotencyStore.tryLock(second, scope, 42)).isFalse();
      second.rollback();
      first.rollback();
      assertThat(IdempotencyStore.tryLock(second, scope, 42)).isTrue();
    }
  }

  @Test
  void the_lock_is_refused_outside_a_transaction() throws SQLException {
    try (Connection connection = database.connect("onceward_app")) {
      assertThatThrownBy(() -> IdempotencyStore.tryLock(connection, scope, 1))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void an_expired_answer_is_not_given_and_gives_way_to_a_new_one() throws SQLException {
    database.app().inWorkspace(tenant.workspaceId(), this::store);
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(
          "UPDATE onceward.idempotency_requests SET created_at = now() - interval '3 days', expires_at = now() - interval '1 s'");
    }
    database
        .app()
        .runInWorkspace(
            tenant.workspaceId(),
            connection -> {
              assertThat(IdempotencyStore.find(connection, scope)).isEmpty();
              assertThat(store(connection)).isTrue();
              assertThat(IdempotencyStore.find(connection, scope)).isPresent();
            });
  }

  @Test
  void an_answer_with_a_secret_is_refused() {
    StoredAnswer leaking = new StoredAnswer(201, "{}", "{\"token\":\"abc\"}");
    assertThatThrownBy(
            () ->
                database
                    .app()
                    .inWorkspace(
                        tenant.workspaceId(),
                        connection ->
                            IdempotencyStore.storeCompleted(
                                connection, scope, new byte[32], "k1", leaking, KEEP)))
        .isInstanceOf(SecretFoundException.class)
        .hasMessageNotContaining("abc");
  }

  private boolean store(Connection connection) throws SQLException {
    return IdempotencyStore.storeCompleted(connection, scope, new byte[32], "k1", ANSWER, KEEP);
  }
}
