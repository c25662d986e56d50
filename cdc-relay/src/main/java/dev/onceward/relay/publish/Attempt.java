package dev.onceward.relay.publish;

import dev.onceward.event.route.EventRecord;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt to send records has come to. Each record is in one of the three lists, each in
 * the order given. Immutable.
 *
 * @param acknowledged what Kafka has
 * @param refused what it will never take
 * @param unacknowledged what is not in Kafka as far as can be told, and can be sent again
 * @param refusedTopics topics that the cluster refuses as a whole → why
 * @param silentTopics topics that acknowledged nothing although the cluster answers
 * @param trouble the first thing that went wrong, in an operator's words, or null
 */
public record Attempt(
    List<Acknowledged> acknowledged,
    List<Refused> refused,
    List<EventRecord> unacknowledged,
    Map<String, String> refusedTopics,
    Set<String> silentTopics,
    @Nullable String trouble) {}
