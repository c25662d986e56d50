package dev.onceward.ops.offsets;

import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.Refusal;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.ops.offsets.OffsetsReport.Group;
import dev.onceward.ops.offsets.OffsetsReport.GroupPosition;
import dev.onceward.ops.offsets.OffsetsReport.PartitionEnds;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code onceward offsets show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description =
        "Shows slot, watermark and audit, what each partition of our topics holds, and how far each"
            + " group that reads them has come.",
    footer = {
      "",
      "Examples:",
      "  onceward offsets show",
      "  onceward offsets show --group onceward-workers --output json"
    })
final class OffsetsShowCommand implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--group",
      paramLabel = "G",
      description =
          "Only this group, whatever it reads; may be given several times (default: all that have"
              + " read our topics).")
  private List<String> wanted = new ArrayList<>();

  @Override
  public Integer call() throws SQLException {
    Settings settings = options.settings();
    RelayRouting routing = RelayRouting.from(settings);
    PipelinePositions positions;
    Set<String> own;
    try (Connection connection = options.connect(settings, OpsOptions.READING_ROLE)) {
      positions = PipelinePositions.read(connection, routing.relay());
      own =
          new TreeSet<>(new RelayStateStore(routing.relay()).pinnedPartitions(connection).keySet());
    }
    own.addAll(routing.topicNames().routes().values());
    OffsetsReport report;
    Admin admin = routing.kafka().admin();
    try {
      report = report(admin, positions, Topics.present(admin, routing.topicNames().prefix(), own));
    } finally {
      admin.close(Duration.ZERO);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
      out.flush();
    } else {
      report.print(out);
    }
    return ExitCode.OK.number();
  }

  private OffsetsReport report(Admin admin, PipelinePositions positions, Set<String> topics) {
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
