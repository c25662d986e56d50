package dev.onceward.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Function;

/**
 * Lists by keyset: newest first, the last id of a page is the cursor of the next one, so that a
 * page costs the same wherever it lies and rows that come meanwhile move nothing.
 */
public final class Page {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 200;

  private Page() {}

  /** How many elements the client wants: {@code limit}, 50 unless said, at most 200. */
  public static int limit(QueryParameters parameters) {
    return parameters.wholeNumber("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
  }

  /**
   * {@code {"items":[…],"next":"<cursor>"}}, without {@code next} on the last page.
   *
   * @param found up to one more than the limit, which tells that there is a next page
   */
  public static <T> Answer answer(
      List<T> found, int limit, Function<T, ?> id, Function<T, ObjectNode> json) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode items = body.putArray("items");
    found.stream().limit(limit).map(json).forEach(items::add);
    if (found.size() > limit) {
      body.put("next", id.apply(found.get(limit - 1)).toString());
    }
    return Answer.json(200, body);
  }
}
