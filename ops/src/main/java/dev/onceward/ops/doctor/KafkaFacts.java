package dev.onceward.ops.doctor;

import dev.onceward.ops.kafka.KafkaAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster says about itself and about our topics, at one moment. Immutable.
 *
 * @param clusterId of the cluster
 * @param brokers how many answer
 * @param metadataVersion the level that all brokers have agreed on; null when it is not told
 * @param topics those whose names begin with our prefix, by name
 */
record KafkaFacts(
    String clusterId, int brokers, @Nullable Short metadataVersion, Map<String, Topic> topics) {

  private static final String METADATA_VERSION = "metadata.version";

  KafkaFacts {
    topics = new TreeMap<>(topics);
  }

  /**
   * @param description its partitions
   * @param settings its settings, the defaults included
   */
  record Topic(TopicDescription description, Config settings) {

    int partitions() {
      return description.partitions().size();
    }

    /** The fewest copies that a partition has. */
    int copies() {
      return description.partitions().stream().mapToInt(p -> p.replicas().size()).min().orElse(0);
    }

    /** Partitions of which a copy is behind or gone. */
    long behind() {
      return description.partitions().stream()
          .filter(p -> p.isr().size() < p.replicas().size())
          .count();
    }

    /** Partitions that cannot be written to. */
    long leaderless() {
      return description.partitions().stream()
          .filter(p -> p.leader() == null || p.leader().isEmpty())
          .count();
    }

    String setting(String name) {
      ConfigEntry entry = settings.get(name);
      return entry == null || entry.value() == null ? "" : entry.value();
    }

    long number(String name) {
      return Long.parseLong(setting(name));
    }
  }

  /**
   * Asks the cluster.
   *
   * @throws dev.onceward.process.StartupException if it is away or refuses
   */
  static KafkaFacts of(Admin admin, String topicPrefix) {
    DescribeClusterResult cluster = admin.describeCluster();
    int brokers = KafkaAccess.await(cluster.nodes()).size();
    String id = KafkaAccess.await(cluster.clusterId());
    FinalizedVersionRange version =
        KafkaAccess.await(admin.describeFeatures().featureMetadata())
            .finalizedFeatures()
            .get(METADATA_VERSION);
    List<String> names =
        KafkaAccess.await(admin.listTopics().names()).stream()
            .filter(name -> name.startsWith(topicPrefix))
            .toList();
    return new KafkaFacts(
        id, brokers, version == null ? null : version.maxVersionLevel(), topics(admin, names));
  }

  private static Map<String, Topic> topics(Admin admin, List<String> names) {
    List<ConfigResource> resources = new ArrayList<>();
    names.forEach(name -> resources.add(new ConfigResource(ConfigResource.Type.TOPIC, name)));
    Map<String, TopicDescription> descriptions =
        KafkaAccess.await(admin.describeTopics(names).allTopicNames());
    Map<ConfigResource, Config> settings =
        KafkaAccess.await(admin.describeConfigs(resources).all());
    Map<String, Topic> topics = new TreeMap<>();
    settings.forEach(
        (resource, config) -> {
          TopicDescription description = descriptions.get(resource.name());
          if (description != null) {
            topics.put(resource.name(), new Topic(description, config));
          }
        });
    return topics;
  }
}
