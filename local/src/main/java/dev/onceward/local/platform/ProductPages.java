package dev.onceward.local.platform;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/product-pages}: a shop's products, page by page; a read, so no effect. A shop
 * whose external id ends with {@code -p<n>} has n products, any other three. Stateless.
 */
final class ProductPages implements SimulatorWork {

  private static final Pattern COUNT = Pattern.compile(".*-p([0-9]{1,6})");
  private static final Pattern CURSOR = Pattern.compile("[0-9]{1,6}");
  private static final int DEFAULT_COUNT = 3;
  private static final int MAX_PAGE = 100;

  @Override
  public String form() {
    return "{\"platform\":text,\"external_id\":text,\"credentials\":{...},"
        + "\"limit\":number?,\"cursor\":text?}";
  }

  @Override
  public boolean isEffect() {
    return false;
  }

  @Override
  public @Nullable Reply reply(JsonNode request) throws JsonProcessingException {
    String cursor = request.path("cursor").asText("0");
    if (!SimulatorWork.namesShop(request) || !CURSOR.matcher(cursor).matches()) {
      return null;
    }
    if (!SimulatorWork.credentialsAreValid(request)) {
      return Reply.refused(403, "the credentials are not valid");
    }
    Matcher named = COUNT.matcher(request.path("external_id").asText());
    int count = named.matches() ? Integer.parseInt(named.group(1)) : DEFAULT_COUNT;
    int limit = Math.max(1, Math.min(MAX_PAGE, request.path("limit").asInt(MAX_PAGE)));
    int first = Integer.parseInt(cursor);
    int end = Math.min(count, first + limit);
    List<Map<String, Object>> products = new ArrayList<>();
    for (int number = first; number < end; number++) {
      products.add(
          Map.of("id", "product-" + number, "title", "Product " + number, "price", number + ".50"));
    }
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("products", products);
    if (end < count) {
      page.put("next_cursor", Integer.toString(end));
    }
    return Reply.done(page);
  }
}
