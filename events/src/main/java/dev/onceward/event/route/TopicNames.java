package dev.onceward.event.route;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which topic an event goes to: the route of its event type, else the route of its aggregate type,
 * else prefix and aggregate type. Immutable.
 *
 * @param prefix what the names of all topics without a route begin with
 * @param routes event type or aggregate type → topic
 */
public record TopicNames(String prefix, Map<String, String> routes) {
  /** The prefix where the configuration names none. */
  public static final String DEFAULT_PREFIX = "onceward.";

  private static final String DEAD_LETTER_SUFFIX = "-dead-letter";

  /** Kafka allows 249; the outbox table allows types of 120 and the suffix has 12. */
  private static final int MAX_PREFIX_LENGTH = 249 - 120 - 12;

  private static final int MAX_TOPIC_LENGTH = 249 - 12;
  private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9._-]*");

  /**
   * Checks that every name that can come out is a legal topic.
   *
   * @throws IllegalArgumentException if the prefix or a route's topic is not legal in Kafka or too
   *     long for its dead-letter topic
   */
  public TopicNames {
    if (!LEGAL.matcher(prefix).matches() || prefix.length() > MAX_PREFIX_LENGTH) {
      throw new IllegalArgumentException(
          "The topic prefix \""
              + prefix
              + "\" is not legal: use at most "
              + MAX_PREFIX_LENGTH
              + " of the characters A-Z a-z 0-9 . _ -");
    }
    routes = Map.copyOf(routes);
    routes.forEach(TopicNames::requireLegal);
  }

  /** Names by prefix and aggregate type alone. */
  public static TopicNames withPrefix(String prefix) {
    return new TopicNames(prefix, Map.of());
  }

  /**
   * Names with routes as an operator writes them.
   *
   * @param routes {@code TYPE=TOPIC}, several separated by commas; an event type or an aggregate
   *     type; blank for none
   * @throws IllegalArgumentException if it is not of that form, names a type twice, or gives a name
   *     that is not legal in Kafka
   */
  public static TopicNames parse(String prefix, String routes) {
    Map<String, String> parsed = new HashMap<>();
    for (String route : routes.isBlank() ? new String[0] : routes.split(",", -1)) {
      String[] pair = route.split("=", -1);
      if (pair.length != 2 || pair[0].isBlank()) {
        throw new IllegalArgumentException(
            "The route \"" + route.strip() + "\" is not of the form TYPE=TOPIC");
      }
      if (parsed.put(pair[0].strip(), pair[1].strip()) != null) {
        throw new IllegalArgumentException(
            "The type \"" + pair[0].strip() + "\" has two routes; keep one");
      }
    }
    return new TopicNames(prefix, parsed);
  }

  private static void requireLegal(String type, String topic) {
    if (topic.isEmpty()
        || topic.length() > MAX_TOPIC_LENGTH
        || topic.equals(".")
        || topic.equals("..")
        || !LEGAL.matcher(topic).matches()) {
      throw new IllegalArgumentException(
          "The route of \""
              + type
              + "\" names the topic \""
              + topic
              + "\", which is not legal: use 1 to "
              + MAX_TOPIC_LENGTH
              + " of the characters A-Z a-z 0-9 . _ -");
    }
  }

  /** The topic of an event. */
  public String topicOf(String eventType, String aggregateType) {
    String byEvent = routes.get(eventType);
    if (byEvent != null) {
      return byEvent;
    }
    String byAggregate = routes.get(aggregateType);
    return byAggregate != null ? byAggregate : prefix + aggregateType;
  }

  /** Where records of that topic go that no consumer can handle. */
  public static String deadLetterOf(String topic) {
    return topic + DEAD_LETTER_SUFFIX;
  }

  /** Whether it is such a topic. */
  public static boolean isDeadLetter(String topic) {
    return topic.endsWith(DEAD_LETTER_SUFFIX);
  }
}
