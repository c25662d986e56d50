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

  /**
   * Reads and verifies the settings.
   *
   * @throws dev.onceward.process.ConfigurationException naming everything that is wrong
   */
  public static RelayRouting from(Settings settings) {
    EventTopics topics = EventTopics.from(settings);
    String relay =
        settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay.");
    return new RelayRouting(
        KafkaAccess.from(settings), topics.names(), topics.partitioner(), relay);
  }
}
