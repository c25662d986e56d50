package dev.onceward.ops.offsets;

import dev.onceward.ops.Refusal;
import dev.onceward.ops.kafka.KafkaAccess;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;

/** Groups of consumers in Kafka. Stateless but for the client. */
final class ConsumerGroups {
  private static final int NAMED = 10;

  private final Admin admin;

  ConsumerGroups(Admin admin) {
    this.admin = admin;
  }

  /** All groups, by name. */
  List<GroupListing> list() {
    return KafkaAccess.await(admin.listGroups().all()).stream()
        .sorted((one, other) -> one.groupId().compareTo(other.groupId()))
        .toList();
  }

  /**
   * Whether its topic offsets are committed by consumers; those of share groups are the broker's.
   */
  static boolean hasCommittedOffsets(GroupListing group) {
    GroupType type = group.type().orElse(GroupType.CLASSIC);
    return type == GroupType.CLASSIC || type == GroupType.CONSUMER;
  }

  /** Refuses a group that does not exist, is of another kind, or has members. */
  void requireMovable(String group) {
    List<GroupListing> known = list();
    GroupListing listing =
        known.stream()
            .filter(each -> each.groupId().equals(group))
            .findFirst()
            .orElseThrow(() -> unknown(group, known));
    if (!hasCommittedOffsets(listing)) {
      throw Refusal.of(
          "\""
              + group
              + "\" is a "
              + listing.type().map(GroupType::toString).orElse("?").toLowerCase(Locale.ROOT)
              + " group, whose positions the brokers keep",
          "Name a group of consumers");
    }
    for (ConsumerGroupDescription description :
        KafkaAccess.await(admin.describeConsumerGroups(List.of(group)).all()).values()) {
      if (description.groupState() != GroupState.EMPTY
          && description.groupState() != GroupState.DEAD) {
        throw live(group, description.members().size());
      }
    }
  }

  static RuntimeException live(String group, int members) {
    return Refusal.of(
        "group \""
            + group
            + "\" is live: it has "
            + members
            + " members, which would go on from where they are",
        "Stop its consumers first");
  }

  private static RuntimeException unknown(String group, List<GroupListing> known) {
    String names =
        known.stream().limit(NAMED).map(GroupListing::groupId).collect(Collectors.joining(", "));
    return Refusal.of(
        "there is no group \"" + group + "\"",
        known.isEmpty()
            ? "There is no group at all yet; start its consumers once"
            : "Name one of: " + names + (known.size() > NAMED ? ", …" : ""));
  }

  /** Group → partition → topic offset that it committed. */
  Map<String, Map<TopicPartition, Long>> committed(Collection<String> groups) {
    Map<String, ListConsumerGroupOffsetsSpec> question = new HashMap<>();
    groups.forEach(group -> question.put(group, new ListConsumerGroupOffsetsSpec()));
    Map<String, Map<TopicPartition, Long>> committed = new HashMap<>();
    if (!question.isEmpty()) {
      KafkaAccess.await(admin.listConsumerGroupOffsets(question).all())
          .forEach(
              (group, offsets) -> {
                Map<TopicPartition, Long> known = new HashMap<>();
                offsets.forEach(
                    (partition, offset) -> {
                      if (offset != null) {
                        known.put(partition, offset.offset());
                      }
                    });
                committed.put(group, known);
              });
    }
    return committed;
  }
}
