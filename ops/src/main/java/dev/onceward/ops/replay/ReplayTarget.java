package dev.onceward.ops.replay;

import dev.onceward.event.EventHeaders;
import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.event.route.RecordBuilder;
import dev.onceward.ops.kafka.RelayRouting;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the records of a replay. Immutable. */
final class ReplayTarget {
  private final UUID replayId;
  private final RelayRouting settings;
  private final RecordBuilder builder;
  private final Set<String> ownTopics;
  private final @Nullable String toTopic;

  /**
   * @param partitionCounts topic → number that the relay has pinned for it
   */
  ReplayTarget(Replay replay, RelayRouting settings, Map<String, Integer> partitionCounts) {
    this.replayId = replay.id();
    this.settings = settings;
    this.toTopic = replay.toTopic();
    this.ownTopics =
        toTopic == null ? replay.positions().topics().keySet() : partitionCounts.keySet();
    this.builder =
        new RecordBuilder(
            settings.topicNames(),
            settings.partitioner(),
            topic -> partitionCounts.getOrDefault(topic, 0));
  }

  /**
   * The record that the relay has sent, marked; empty if none of its topic was in Kafka when the
   * replay began, so that it was not chosen (it was parked, and has been delivered since).
   */
  Optional<EventRecord> build(OutboxRow row) {
    String own = settings.topicNames().topicOf(row.eventType(), row.aggregateType());
    if (!ownTopics.contains(own)) {
      return Optional.empty();
    }
    EventRecord marked = builder.build(row).withHeader(EventHeaders.REPLAY_ID, replayId.toString());
    return Optional.of(
        toTopic == null
            ? marked
            : new EventRecord(
                marked.eventId(),
                toTopic,
                marked.partition(),
                marked.key(),
                marked.value(),
                marked.headers()));
  }
}
