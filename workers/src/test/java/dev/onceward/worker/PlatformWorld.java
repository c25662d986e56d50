package dev.onceward.worker;

import dev.onceward.db.Database;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.TestTopics;
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

/** A worker with the product's own handlers, a platform, and a store with credentials. */
final class PlatformWorld implements AutoCloseable {

  static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  static final String CREDENTIALS = "{\"app_key\":\"k\",\"app_secret\":\"s3cret-value\"}";

  /** How every call on behalf of the store begins. */
  static final String SHOP =
      "{\"platform\":\"shopline\",\"external_id\":\"shop-42\",\"credentials\":" + CREDENTIALS;

  private final CredentialCipher cipher = new CredentialCipher(Map.of("k1", new byte[32]));
  private final PlatformDouble platform = new PlatformDouble();
  private final WorkerWorld world;
  private final UUID storeId;

  PlatformWorld(PostgresServer server, TestTopics topics, String aggregateType) throws Exception {
    world = new WorkerWorld(server, topics, 1);
    topics.create(aggregateType, 1);
    storeId =
        inWorkspace(
            connection ->
                new StoreAuthorizationStore(cipher)
                    .insert(connection, "shopline", "shop-42", "My shop", CREDENTIALS)
                    .orElseThrow()
                    .id());
    HandlerEnvironment environment =
        new HandlerEnvironment(
            cipher, platform.uri(), Duration.ofSeconds(2), MaterialRules.DEFAULT);
    List<EventHandler> handlers =
        ServiceLoader.load(HandlerProvider.class).stream()
            .<EventHandler>flatMap(provider -> provider.get().handlers(environment).stream())
            .toList();
    world.start(handlers);
  }

  PlatformDouble platform() {
    return platform;
  }

  WorkerWorld world() {
    return world;
  }

  UUID storeId() {
    return storeId;
  }

  <T> T inWorkspace(Database.Work<T> work) throws SQLException {
    return world.app().inWorkspace(world.tenant().workspaceId(), work);
  }

  /** A task that is not written yet. */
  static NewTask task(String kind, NewEvent event) {
    return NewTask.of(kind, event.withTrace("request-1", "correlation-1", TRACEPARENT));
  }

  @Override
  public void close() throws Exception {
    world.close();
    platform.close();
  }
}
