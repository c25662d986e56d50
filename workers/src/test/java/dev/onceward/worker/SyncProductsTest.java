package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.sync.Product;
import dev.onceward.db.sync.ProductStore;
import dev.onceward.db.sync.ProductSync;
import dev.onceward.db.sync.ProductSyncStore;
import dev.onceward.db.sync.ReadProduct;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.worker.PlatformDouble.Answer;
import dev.onceward.worker.PlatformDouble.Call;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class SyncProductsTest {

  private static final Answer PAGE_1 =
      Answer.of(
          200,
          "{\"products\":[{\"id\":\"a\",\"title\":\"New A\",\"price\":\"1.50\"},"
              + "{\"id\":\"b\",\"title\":\"B\"}],\"next_cursor\":\"page 2\"}");
  private static final Answer PAGE_2 =
      Answer.of(
          200,
          "{\"products\":[{\"id\":\"c\",\"title\":\"see https://x.example/?sig=abc\"},"
              + "{\"id\":\"b\",\"title\":\"B, moved\"}],\"next_cursor\":null}");

  private final UUID syncId = UUID.randomUUID();
  private PlatformWorld world;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new PlatformWorld(server, topics, "product");
    world.inWorkspace(
        connection -> {
          ProductStore.write(
              connection,
              world.storeId(),
              UUID.randomUUID(),
              List.of(new ReadProduct("a", "Old A", null), new ReadProduct("z", "Sold out", null)));
          return true;
        });
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void all_pages_are_read_and_what_the_platform_does_not_have_any_more_goes() throws Exception {
    world.platform().answer(SyncProductsTest::page);
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.platform().calls())
        .containsExactly(
            call(task, ",\"limit\":100}"), call(task, ",\"limit\":100,\"cursor\":\"page 2\"}"));
    assertThat(products())
        .extracting(Product::externalId, Product::title, Product::price)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("a", "New A", "1.50"),
            org.assertj.core.groups.Tuple.tuple("b", "B, moved", null),
            org.assertj.core.groups.Tuple.tuple("c", "(withheld: it looked like a secret)", null));
    ProductSync sync =
        world.inWorkspace(connection -> ProductSyncStore.find(connection, syncId).orElseThrow());
    assertThat(sync.productCount()).isEqualTo(3);
    assertThat(sync.completedAt()).isNotNull();
    assertThat(world.world().find(task).result())
        .isEqualTo(
            "{\"product_sync_id\":\"%s\",\"products\":3,\"removed\":1,\"pages\":2}"
                .formatted(syncId));
  }

  @Test
  void a_sync_that_breaks_off_begins_again_at_the_front() throws Exception {
    AtomicBoolean failed = new AtomicBoolean();
    world
        .platform()
        .answer(
            call ->
                call.body().contains("cursor") && failed.compareAndSet(false, true)
                    ? Answer.of(503, "")
                    : page(call));
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.platform().calls()).hasSize(4);
    assertThat(world.world().find(task).attempt()).isEqualTo(2);
    assertThat(products()).extracting(Product::externalId).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_refusal_is_permanent_and_removes_nothing() throws Exception {
    world
        .platform()
        .answer(call -> call.body().contains("cursor") ? Answer.of(410, "") : page(call));
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.FAILED, task);

    assertThat(world.world().find(task).lastErrorCode()).isEqualTo("PLATFORM_REJECTED");
    assertThat(products()).extracting(Product::externalId).containsExactlyInAnyOrder("a", "b", "z");
  }

  private static Answer page(Call call) {
    return call.body().contains("cursor") ? PAGE_2 : PAGE_1;
  }

  private static Call call(NewTask task, String end) {
    return new Call(
        "POST",
        "/v1/product-pages",
        task.event().id().toString(),
        PlatformWorld.TRACEPARENT,
        PlatformWorld.SHOP + end);
  }

  private NewTask writeAndSend() throws Exception {
    String storeId = world.storeId().toString();
    NewTask task =
        PlatformWorld.task(
            ProductSyncStore.OPERATION_KIND,
            NewEvent.of(
                    "product.sync_requested",
                    "product",
                    storeId,
                    "{\"product_sync_id\":\"%s\",\"store_id\":\"%s\"}".formatted(syncId, storeId))
                .withResource(ProductSyncStore.SUBJECT_TYPE, storeId));
    world.inWorkspace(
        connection -> {
          TaskWriter.append(connection, task);
          ProductSyncStore.insert(connection, syncId, task.operationId(), world.storeId());
          return true;
        });
    world.world().send(task);
    return task;
  }

  private List<Product> products() throws SQLException {
    return world.inWorkspace(
        connection -> ProductStore.list(connection, world.storeId(), null, 100));
  }
}
