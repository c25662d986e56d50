package dev.onceward.ops.offsets;

import dev.onceward.ops.Refusal;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.ops.offsets.OffsetsReport.Group;
import dev.onceward.ops.offsets.OffsetsReport.GroupPosition;
import dev.onceward.ops.offsets.OffsetsReport.PartitionEnds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.TopicPartition;

/** Reads what our topics hold and how far their groups have come. Stateless but for the client. */
public final class OffsetsReader {

  private final Admin admin;
  private final String prefix;
  private final List<String> wanted;

  /**
   * Over a client that the caller closes.
   *
   * @param prefix what the names of our topics begin with
   * @param wanted only these groups, whatever they read; empty for all that have read our topics
   */
  public OffsetsReader(Admin admin, String prefix, List<String> wanted) {
    this.admin = admin;
    this.prefix = prefix;
    this.wanted = List.copyOf(wanted);
  }

  /**
   * Asks the brokers.
   *
   * @param positions what the database knows
   * @param pinned topics that count besides those with the prefix
   * @throws dev.onceward.process.StartupException if Kafka is away, or a wanted group is unknown
   */
  public OffsetsReport read(PipelinePositions positions, Set<String> pinned) {
    Set<String> topics = Topics.present(admin, prefix, pinned);
    ConsumerGroups groups = new ConsumerGroups(admin);
    List<GroupListing> known = groups.list();
    for (String group : wanted) {
      if (known.stream().noneMatch(each -> each.groupId().equals(group))) {
        throw Refusal.of("there is no group \"" + group + "\"", "Leave --group out to see all");
      }
    }
    Map<String, Map<TopicPartition, Long>> committed =
        groups.committed(
            known.stream()
                .filter(ConsumerGroups::hasCommittedOffsets)
                .map(GroupListing::groupId)
                .filter(group -> wanted.isEmpty() || wanted.contains(group))
                .toList());
    Set<String> shownTopics = new TreeSet<>(topics);
    if (!wanted.isEmpty()) {
      Set<String> read = new TreeSet<>();
      committed
          .values()
          .forEach(offsets -> offsets.keySet().forEach(each -> read.add(each.topic())));
      read.retainAll(KafkaAccess.await(admin.listTopics().names()));
      shownTopics.addAll(read);
    }
    Set<TopicPartition> partitions = Topics.partitions(admin, shownTopics);
    Map<TopicPartition, OffsetRange> ranges = Topics.ordered(OffsetRange.of(admin, partitions));
    List<PartitionEnds> ends = new ArrayList<>();
    ranges.forEach(
        (partition, range) ->
            ends.add(
                new PartitionEnds(
                    partition.topic(), partition.partition(), range.beginning(), range.end())));
    List<Group> shown = new ArrayList<>();
    for (GroupListing listing : known) {
      Group group = group(listing, committed.getOrDefault(listing.groupId(), Map.of()), ranges);
      if (wanted.contains(group.group()) || (wanted.isEmpty() && !group.partitions().isEmpty())) {
        shown.add(group);
      }
    }
    return new OffsetsReport(
        positions.slot(), positions.watermark(), positions.audit(), ends, shown);
  }

  private static Group group(
      GroupListing listing,
      Map<TopicPartition, Long> committed,
      Map<TopicPartition, OffsetRange> ranges) {
    List<GroupPosition> read = new ArrayList<>();
    Topics.ordered(committed)
        .forEach(
            (partition, offset) -> {
              OffsetRange range = ranges.get(partition);
              if (range != null) {
                read.add(
                    new GroupPosition(
                        partition.topic(),
                        partition.partition(),
                        offset,
                        range.end(),
                        Math.max(0, range.end() - offset)));
              }
            });
    return new Group(
        listing.groupId(),
        lower(listing.type().map(Object::toString).orElse("classic")),
        lower(listing.groupState().map(Object::toString).orElse("unknown")),
        read.stream().mapToLong(GroupPosition::lagRecords).sum(),
        read);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
