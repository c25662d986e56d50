package dev.onceward.local.observability;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in a PromQL expression. Immutable. It knows as much of the language as our own
 * expressions use; Prometheus itself is the judge of their grammar.
 *
 * @param metrics each metric with the labels that its selectors name
 * @param labels by which results are grouped or matched
 */
public record PromQuery(Map<String, Set<String>> metrics, Set<String> labels) {
  private static final Pattern GROUPING =
      Pattern.compile("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
  private static final Pattern SELECTOR =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*(\\{[^}]*})?\\s*(\\()?");
  private static final Pattern MATCHER = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)\\s*[=!]");
  private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

  /** Finds them. */
  public static PromQuery parse(String expression) {
    // Quoted text first: it may hold anything.
    String bare = expression.replaceAll("\"[^\"]*\"", "").replaceAll("\\[[^]]*]", "");
    Set<String> labels = new TreeSet<>();
    Matcher grouping = GROUPING.matcher(bare);
    while (grouping.find()) {
      for (String label : grouping.group(2).split(",", -1)) {
        if (!label.isBlank()) {
          labels.add(label.strip());
        }
      }
    }
    Map<String, Set<String>> metrics = new TreeMap<>();
    Matcher selector = SELECTOR.matcher(grouping.replaceAll(" "));
    while (selector.find()) {
      String name = selector.group(1);
      boolean function = selector.group(2) == null && selector.group(3) != null;
      if (!function && !WORDS.contains(name)) {
        Set<String> named = metrics.computeIfAbsent(name, unused -> new TreeSet<>());
        Matcher label = MATCHER.matcher(selector.group(2) == null ? "" : selector.group(2));
        while (label.find()) {
          named.add(label.group(1));
        }
      }
    }
    return new PromQuery(metrics, labels);
  }
}
