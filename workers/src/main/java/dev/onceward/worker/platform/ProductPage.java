package dev.onceward.worker.platform;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.secret.SecretGuard;
import dev.onceward.db.sync.ReadProduct;
import dev.onceward.worker.handle.RetriableTaskException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One page of a shop's products. Immutable.
 *
 * @param products each at most once
 * @param nextCursor asks for the next page; null on the last one
 */
record ProductPage(List<ReadProduct> products, @Nullable String nextCursor) {

  private static final int MAX_EXTERNAL_ID_CHARACTERS = 200;
  private static final int MAX_TITLE_CHARACTERS = 500;
  private static final int MAX_PRICE_CHARACTERS = 40;
  private static final int MAX_CURSOR_CHARACTERS = 2_000;
  private static final String WITHHELD = "(withheld: it looked like a secret)";

  /**
   * @throws RetriableTaskException if the answer is not what was agreed on
   */
  static ProductPage read(JsonNode answer) throws RetriableTaskException {
    if (!answer.path("products").isArray()) {
      throw PlatformClient.unreadable(null);
    }
    Map<String, ReadProduct> products = new LinkedHashMap<>();
    for (JsonNode element : answer.path("products")) {
      String id = PlatformText.identifier(element, "id", MAX_EXTERNAL_ID_CHARACTERS);
      String title = PlatformText.of(element, "title", MAX_TITLE_CHARACTERS);
      if (id == null || title == null) {
        throw PlatformClient.unreadable(null);
      }
      products.put(
          id,
          new ReadProduct(
              id,
              SecretGuard.isSecretInText(title) ? WITHHELD : title,
              PlatformText.of(element, "price", MAX_PRICE_CHARACTERS)));
    }
    return new ProductPage(List.copyOf(products.values()), cursor(answer));
  }

  private static @Nullable String cursor(JsonNode answer) throws RetriableTaskException {
    JsonNode cursor = answer.path("next_cursor");
    if (cursor.isMissingNode() || cursor.isNull()) {
      return null;
    }
    if (!cursor.isTextual() || cursor.asText().length() > MAX_CURSOR_CHARACTERS) {
      throw PlatformClient.unreadable(null);
    }
    return cursor.asText();
  }
}
