package dev.onceward.worker.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.onceward.db.Database;
import dev.onceward.db.operation.ClaimResult.Claimed;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationClaims;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.db.sync.Product;
import dev.onceward.db.sync.ProductStore;
import dev.onceward.db.sync.ProductSyncStore;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import dev.onceward.worker.handle.TaskEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The steps of one attempt, called as the worker calls them. */
@ExtendWith(InfrastructureExtension.class)
class SyncProductsStepTest {

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final CredentialCipher cipher = new CredentialCipher(Map.of("k1", new byte[32]));
  private final StoreAuthorizationStore stores = new StoreAuthorizationStore(cipher);
  private final UUID syncId = UUID.randomUUID();
  private MigratedDatabase database;
  private Tenant tenant;
  private HttpServer platform;
  private UUID storeId;
  private NewTask task;
  private UnaryOperator<String> answer = body -> "";

  @BeforeEach
  void a_sync_is_asked_for(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    tenant = database.newTenant();
    platform = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    platform.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String body =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] bytes = answer.apply(body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
          } catch (IOException gone) {
            throw new IllegalStateException(gone);
          }
        });
    platform.start();
    storeId =
        inWorkspace(
                connection ->
                    stores.insert(connection, "shopline", "shop", "Shop", "{\"k\":\"v\"}"))
            .orElseThrow()
            .id();
    task =
        NewTask.of(
            ProductSyncStore.OPERATION_KIND,
            NewEvent.of(
                    "product.sync_requested",
                    "product",
                    storeId.toString(),
                    "{\"product_sync_id\":\"%s\",\"store_id\":\"%s\"}".formatted(syncId, storeId))
                .withResource(ProductSyncStore.SUBJECT_TYPE, storeId.toString()));
    inWorkspace(
        connection -> {
          TaskWriter.append(connection, task);
          ProductSyncStore.insert(connection, syncId, task.operationId(), storeId);
          return true;
        });
  }

  @AfterEach
  void close() throws SQLException {
    platform.stop(0);
    database.close();
  }

  @Test
  void an_attempt_that_was_taken_over_between_two_pages_writes_no_further_page() throws Exception {
    answer =
        body -> {
          if (!body.contains("cursor")) {
            return "{\"products\":[{\"id\":\"a\",\"title\":\"A\"}],\"next_cursor\":\"2\"}";
          }
          expireLease();
          claim("the successor");
          return "{\"products\":[{\"id\":\"b\",\"title\":\"B\"}]}";
        };
    Attempt attempt = new Attempt(claim("the first"));

    assertThatThrownBy(() -> handler().handle(attempt))
        .isInstanceOfSatisfying(
            RetriableTaskException.class, lost -> assertThat(lost.code()).isEqualTo("LEASE_LOST"));

    assertThat(products()).extracting(Product::externalId).containsExactly("a");
  }

  @Test
  void a_cursor_that_does_not_move_on_ends_the_attempt() throws Exception {
    answer = body -> "{\"products\":[],\"next_cursor\":\"same\"}";
    Attempt attempt = new Attempt(claim("the first"));

    assertThatThrownBy(() -> handler().handle(attempt))
        .isInstanceOfSatisfying(
            RetriableTaskException.class,
            stuck -> assertThat(stuck.code()).isEqualTo("PLATFORM_UNREADABLE_ANSWER"));
  }

  private SyncProducts handler() {
    return new SyncProducts(
        new StoreAccess(stores),
        new PlatformClient(
            URI.create("http://127.0.0.1:" + platform.getAddress().getPort()),
            Duration.ofSeconds(5)));
  }

  private Operation claim(String owner) {
    try {
      return ((Claimed)
              inWorkspace(
                  connection -> OperationClaims.claim(connection, task.event().id(), owner, LEASE)))
          .operation();
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private void expireLease() {
    try (var superuser = database.superuser();
        var statement = superuser.createStatement()) {
      statement.execute("UPDATE onceward.operations SET lease_expires_at = now()");
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private List<Product> products() throws SQLException {
    return inWorkspace(connection -> ProductStore.list(connection, storeId, null, 10));
  }

  private <T> T inWorkspace(Database.Work<T> work) throws SQLException {
    return database.app().inWorkspace(tenant.workspaceId(), work);
  }

  /** An attempt as the worker hands it to a handler. */
  private final class Attempt implements TaskAttempt {
    private final Operation operation;
    private final TaskEvent event;

    Attempt(Operation operation) throws SQLException {
      this.operation = operation;
      this.event =
          new TaskEvent(
              SyncProductsStepTest.this
                  .inWorkspace(
                      connection -> OutboxReader.find(connection, task.event().id()).orElseThrow())
                  .toEnvelope(),
              null);
    }

    @Override
    public TaskEvent event() {
      return event;
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @Override
    public <T> T inWorkspace(Database.Work<T> work) throws SQLException {
      return SyncProductsStepTest.this.inWorkspace(work);
    }

    @Override
    public boolean isOver() {
      return false;
    }
  }
}
