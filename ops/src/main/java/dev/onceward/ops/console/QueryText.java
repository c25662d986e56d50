package dev.onceward.ops.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.ops.console.http.Request;
import java.net.URLEncoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was typed into the fields of a form that only looks. Immutable. */
public final class QueryText {
  private final Map<String, String> values;

  private QueryText(Map<String, String> values) {
    this.values = values;
  }

  static QueryText of(Request request, List<String> fields) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String field : fields) {
      String value = request.query(field);
      if (value != null) {
        if (value.indexOf('\0') >= 0) {
          throw new BadInputException(field + " holds a character that no text can have");
        }
        values.put(field, value);
      }
    }
    return new QueryText(values);
  }

  /** Null if nothing was typed. */
  public @Nullable String get(String field) {
    return values.get(field);
  }

  /** Whether nothing at all was typed. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** As a query. */
  public String toQuery() {
    return query(values);
  }

  /** As a query, with one more value. */
  public String with(String field, String value) {
    Map<String, String> all = new LinkedHashMap<>(values);
    all.put(field, value);
    return query(all);
  }

  private static String query(Map<String, String> all) {
    return all.entrySet().stream()
        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), UTF_8))
        .collect(Collectors.joining("&", "?", ""));
  }
}
