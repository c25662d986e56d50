package dev.onceward.ops.doctor;

import dev.onceward.ops.doctor.KafkaFacts.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/** The cluster and our topics. Stateless. */
final class TopicChecks {

  /**
   * The largest value of a record: a payload of 256 KiB (the table's CHECK) and the envelope around
   * it, whose texts the table limits too; then headers and Kafka's own frame.
   */
  static final long LARGEST_RECORD_BYTES = 262_144 + 8_192;

  private TopicChecks() {}

  static Answer cluster(KafkaFacts kafka) {
    String version =
        kafka.metadataVersion() == null ? "" : ", metadata.version " + kafka.metadataVersion();
    return Answer.ok(kafka.brokers() + " brokers, cluster " + kafka.clusterId() + version);
  }

  /** Partition counts against what the relay has pinned: more or fewer move aggregates. */
  static Answer partitions(KafkaFacts kafka, Map<String, Integer> pinned) {
    List<String> failures = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    pinned.forEach(
        (name, count) -> {
          Topic topic = kafka.topics().get(name);
          if (topic == null) {
            failures.add(name + " is missing (" + count + " partitions are pinned)");
          } else if (topic.partitions() < count) {
            failures.add(name + " has " + topic.partitions() + " partitions, pinned are " + count);
          } else if (topic.partitions() > count) {
            warnings.add(name + " has " + topic.partitions() + " partitions, used are " + count);
          }
        });
    return judged(
        failures,
        warnings,
        pinned.size() + " topics have the partitions that are pinned for them",
        "Make a missing topic with its pinned partitions; unused ones do no harm");
  }

  static Answer replication(KafkaFacts kafka) {
    List<String> failures =
        each(
            kafka,
            t -> t.leaderless() == 0 ? null : "no leader for " + t.leaderless() + " partitions");
    List<String> warnings = each(kafka, t -> t.copies() > 1 ? null : "one copy");
    warnings.addAll(
        each(kafka, t -> t.behind() == 0 ? null : t.behind() + " partitions lack a copy in step"));
    return judged(
        failures,
        warnings,
        "every topic has copies that are in step",
        "Use three brokers and onceward.relay.topic-replication=3 for new topics; reassign the"
            + " partitions of old ones; start brokers that are down");
  }

  static Answer minInSync(KafkaFacts kafka) {
    List<String> failures =
        each(
            kafka,
            t ->
                t.number(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG) > t.copies()
                    ? "min.insync.replicas exceeds the copies: nothing can be written"
                    : null);
    failures.addAll(
        each(
            kafka,
            t ->
                t.setting(TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG).equals("true")
                    ? "unclean.leader.election.enable = true loses acknowledged events"
                    : null));
    List<String> warnings = each(kafka, TopicChecks::weakInSync);
    return judged(
        failures,
        warnings,
        "an acknowledged event survives the loss of a broker",
        "Set min.insync.replicas to 2 with three copies, and unclean.leader.election.enable to"
            + " false");
  }

  private static @Nullable String weakInSync(Topic topic) {
    long needed = topic.number(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
    if (needed < 2) {
      return "min.insync.replicas = " + needed + ": one broker alone may acknowledge";
    }
    return needed == topic.copies()
        ? "min.insync.replicas = " + needed + ", which is all copies: one broker down stops it"
        : null;
  }

  static Answer messageSize(KafkaFacts kafka) {
    List<String> failures =
        each(
            kafka,
            t -> {
              long limit = t.number(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
              return limit < LARGEST_RECORD_BYTES
                  ? TopicConfig.MAX_MESSAGE_BYTES_CONFIG + " = " + limit
                  : null;
            });
    return judged(
        failures,
        List.of(),
        "every topic takes the largest event (" + LARGEST_RECORD_BYTES + " bytes)",
        "Raise max.message.bytes to at least "
            + LARGEST_RECORD_BYTES
            + ", then redrive what was refused");
  }

  /** What Kafka forgets before the outbox does can be replayed, but no group can go back to it. */
  static Answer retention(KafkaFacts kafka, Duration outbox) {
    List<String> warnings = each(kafka, t -> shortRetention(t, outbox));
    return judged(
        List.of(),
        warnings,
        "every topic keeps events as long as the outbox (" + outbox.toDays() + " days)",
        "Set retention.ms to at least "
            + outbox.toMillis()
            + ", retention.bytes to -1 and cleanup.policy to delete");
  }

  private static @Nullable String shortRetention(Topic topic, Duration outbox) {
    String policy = topic.setting(TopicConfig.CLEANUP_POLICY_CONFIG);
    if (!policy.equals(TopicConfig.CLEANUP_POLICY_DELETE)) {
      return "cleanup.policy = " + policy;
    }
    long millis = topic.number(TopicConfig.RETENTION_MS_CONFIG);
    if (millis >= 0 && millis < outbox.toMillis()) {
      return "retention.ms = " + millis + ", the outbox keeps " + outbox.toMillis();
    }
    long bytes = topic.number(TopicConfig.RETENTION_BYTES_CONFIG);
    return bytes >= 0 ? "retention.bytes = " + bytes + " may drop events earlier" : null;
  }

  private static List<String> each(KafkaFacts kafka, Function<Topic, @Nullable String> problem) {
    List<String> problems = new ArrayList<>();
    kafka
        .topics()
        .forEach(
            (name, topic) -> {
              String found = problem.apply(topic);
              if (found != null) {
                problems.add(name + ": " + found);
              }
            });
    return problems;
  }

  private static Answer judged(
      List<String> failures, List<String> warnings, String fine, String remedy) {
    List<String> all = new ArrayList<>(failures);
    all.addAll(warnings);
    return failures.isEmpty()
        ? warnings.isEmpty() ? Answer.ok(fine) : Answer.warning(shortened(warnings), remedy)
        : Answer.failed(shortened(all), remedy);
  }

  /** A cluster can have hundreds of topics with the same trouble. */
  private static String shortened(List<String> problems) {
    int shown = 5;
    String text = String.join("; ", problems.subList(0, Math.min(shown, problems.size())));
    return problems.size() <= shown ? text : text + "; and " + (problems.size() - shown) + " more";
  }
}
