package dev.onceward.worker.platform;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.db.UuidV7;
import dev.onceward.db.operation.Lease;
import dev.onceward.db.operation.OperationClaims;
import dev.onceward.db.store.StoreCredentials;
import dev.onceward.db.sync.ProductStore;
import dev.onceward.db.sync.ProductSync;
import dev.onceward.db.sync.ProductSyncStore;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads all products of a shop, page by page: one page is in memory at a time, and each is written
 * in a transaction of its own that finds the attempt's lease still held. What an attempt writes
 * bears its mark. The transaction that ends the operation removes what bears another one, so the
 * next attempt may begin at the front, and one that was cut off can neither write after its
 * successor nor remove anything.
 */
final class SyncProducts implements EventHandler {

  /** As many as the platform is asked for; it may send fewer. */
  private static final int PAGE_SIZE = 100;

  private static final int MAX_PAGE_BYTES = 2 * 1024 * 1024;
  private static final Duration TIMEOUT = Duration.ofMinutes(15);

  private final StoreAccess access;
  private final PlatformClient platform;

  SyncProducts(StoreAccess access, PlatformClient platform) {
    this.access = access;
    this.platform = platform;
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(
        new HandledType("product.sync_requested", 1, "product", ProductSyncStore.OPERATION_KIND));
  }

  @Override
  public Duration timeout() {
    return TIMEOUT;
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws Exception {
    UUID syncId = EventPayload.id(attempt, "product_sync_id");
    UUID storeId =
        attempt
            .inWorkspace(connection -> ProductSyncStore.find(connection, syncId))
            .map(ProductSync::storeId)
            .orElseThrow(
                () ->
                    new PermanentTaskException(
                        "PRODUCT_SYNC_NOT_FOUND", "The product sync does not exist any more."));
    StoreCredentials store = access.read(attempt, storeId);
    UUID mark = UuidV7.next();
    int pages = 0;
    String cursor = null;
    do {
      ProductPage page = page(attempt, store, cursor);
      write(attempt, storeId, mark, page);
      pages++;
      if (page.nextCursor() != null && page.nextCursor().equals(cursor)) {
        throw new RetriableTaskException(
            "PLATFORM_UNREADABLE_ANSWER", "The platform's cursor does not move on.");
      }
      cursor = page.nextCursor();
    } while (cursor != null);
    int pagesRead = pages;
    return connection -> end(connection, syncId, storeId, mark, pagesRead);
  }

  private ProductPage page(TaskAttempt attempt, StoreCredentials store, @Nullable String cursor)
      throws Exception {
    if (attempt.isOver()) {
      throw new InterruptedException("nobody waits for this attempt any more");
    }
    String body =
        PlatformBody.of(
            store,
            json -> {
              json.writeNumberField("limit", PAGE_SIZE);
              if (cursor != null) {
                json.writeStringField("cursor", cursor);
              }
            });
    return ProductPage.read(
        platform.post(
            PlatformRequest.of(attempt, "v1/product-pages", body).withAnswerUpTo(MAX_PAGE_BYTES)));
  }

  private static void write(TaskAttempt attempt, UUID storeId, UUID mark, ProductPage page)
      throws SQLException, RetriableTaskException {
    Lease lease = Lease.of(attempt.operation());
    boolean held =
        attempt.inWorkspace(
            connection -> {
              if (!OperationClaims.holds(connection, lease)) {
                return false;
              }
              ProductStore.write(connection, storeId, mark, page.products());
              return true;
            });
    if (!held) {
      throw new RetriableTaskException("LEASE_LOST", "Another attempt has begun meanwhile.");
    }
  }

  private static String end(Connection connection, UUID syncId, UUID storeId, UUID mark, int pages)
      throws SQLException {
    int removed = ProductStore.removeOthers(connection, storeId, mark);
    int products = ProductStore.count(connection, storeId, mark);
    if (!ProductSyncStore.recordEnd(connection, syncId, products)) {
      throw new IllegalStateException("product sync " + syncId + " is gone");
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("product_sync_id", syncId.toString())
        .put("products", products)
        .put("removed", removed)
        .put("pages", pages)
        .toString();
  }
}
