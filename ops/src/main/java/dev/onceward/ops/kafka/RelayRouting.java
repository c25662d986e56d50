package dev.onceward.ops.kafka;

import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.TopicNames;
import dev.onceward.process.Settings;

/**
 * Which way events take through the relay; whoever sends or looks for them must take the same.
 * Immutable.
 *
 * @param kafka the cluster
 * @param topicNames which topic an event goes to
 * @param partitioner which partition of it
 * @param relay the name of the relay that has pinned the partitions
 */
public record RelayRouting(
    KafkaAccess kafka, TopicNames topicNames, Partitioner partitioner, String relay) {

  private static final String TOPIC_PREFIX = "onceward.topic-prefix";
  private static final String TOPIC_ROUTES = "onceward.topic-routes";

  /**
   * Reads and verifies the settings.
   *
   * @throws dev.onceward.process.ConfigurationException naming everything that is wrong
   */
  public static RelayRouting from(Settings settings) {
    TopicNames names = topicNames(settings);
    Partitioner partitioner =
        settings.enumeration(
            "onceward.relay.partition-by",
            Partitioner.AGGREGATE,
            "What decides an event's partition; as the relay has it.");
    String relay =
        settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay.");
    return new RelayRouting(KafkaAccess.from(settings), names, partitioner, relay);
  }

  private static TopicNames topicNames(Settings settings) {
    String prefix =
        settings.text(TOPIC_PREFIX, TopicNames.DEFAULT_PREFIX, "What topic names begin with.");
    String routes =
        settings.optionalText(
            TOPIC_ROUTES,
            "Topics of their own, TYPE=TOPIC[,TYPE=TOPIC], by event type or aggregate type; the same"
                + " for all processes.");
    TopicNames names =
        settings.made(
            TOPIC_PREFIX,
            prefix,
            TopicNames::withPrefix,
            TopicNames.withPrefix(TopicNames.DEFAULT_PREFIX));
    return routes == null
        ? names
        : settings.made(
            TOPIC_ROUTES, routes, text -> TopicNames.parse(names.prefix(), text), names);
  }
}
