package dev.onceward.ops.offsets;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.Refusal;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.ops.change.StartedAction;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward offsets reset}. */
@Command(
    name = "reset",
    mixinStandardHelpOptions = true,
    description = {
      "Moves what a consumer group reads next. Its consumers must be stopped.",
      "Without --topic or --to-offset, by time: every topic that the group has read."
    },
    footer = {
      "",
      "Examples:",
      "  onceward offsets reset --group onceward-workers --by -10m --dry-run",
      "  onceward offsets reset --group G --to-time 2026-01-31T08:00:00Z --topic onceward.store --yes",
      "  onceward offsets reset --group G --to-event ID",
      "  onceward offsets reset --group G --to-offset onceward.store:0:1200"
    })
final class OffsetsResetCommand implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Mixin private @Nullable ChangeOptions changeOptions;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--group", required = true, paramLabel = "G", description = "Its name.")
  private String group = "";

  @Option(
      names = "--topic",
      paramLabel = "T",
      description = "Only this topic, by time; may be given several times.")
  private List<String> topics = new ArrayList<>();

  @Option(
      names = "--to-time",
      paramLabel = "TIME",
      description = "To the first record written at that time or later, 2026-01-31T08:00:00Z.")
  private @Nullable Instant toTime;

  @Option(
      names = "--by",
      converter = BackOption.class,
      paramLabel = "-SPAN",
      description =
          "Back to what was written that long ago: -90s, -10m, -2h. A partition that is further"
              + " back stays.")
  private @Nullable Duration back;

  @Option(
      names = "--to-event",
      paramLabel = "ID",
      description = "To the record of that event, in its partition.")
  private @Nullable UUID toEvent;

  @Option(
      names = "--to-offset",
      converter = OffsetReset.Converter.class,
      paramLabel = "TOPIC:PARTITION:OFFSET",
      description = "To that topic offset; may be given several times.")
  private List<OffsetReset.Wanted> toOffsets = new ArrayList<>();

  @Override
  public Integer call() throws SQLException {
    requireOneWay();
    Settings settings = options.settings();
    RelayRouting routing = RelayRouting.from(settings);
    try (Connection connection = options.connect(settings, OpsOptions.WRITING_ROLE)) {
      connection.setAutoCommit(false);
      Admin admin = routing.kafka().admin();
      try {
        return reset(connection, admin, routing);
      } finally {
        admin.close(Duration.ZERO);
      }
    }
  }

  private ChangeOptions change() {
    return Objects.requireNonNull(changeOptions, "set by picocli");
  }

  private void requireOneWay() {
    long ways =
        Stream.of(toTime, back, toEvent, toOffsets.isEmpty() ? null : toOffsets)
            .filter(Objects::nonNull)
            .count();
    if (ways != 1) {
      throw wrong("Say where to, in one way: --to-time, --by, --to-event or --to-offset");
    }
    if (!topics.isEmpty() && toTime == null && back == null) {
      throw wrong("--topic goes with --to-time or --by");
    }
    if (toTime != null && toTime.isBefore(Instant.EPOCH)) {
      throw wrong("--to-time " + toTime + " is before 1970");
    }
    if (toOffsets.stream().map(OffsetReset.Wanted::partition).distinct().count()
        < toOffsets.size()) {
      throw wrong("--to-offset names a partition twice");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private int reset(Connection connection, Admin admin, RelayRouting routing) throws SQLException {
    ConsumerGroups groups = new ConsumerGroups(admin);
    groups.requireMovable(group);
    Map<TopicPartition, Long> committed =
        groups.committed(List.of(group)).getOrDefault(group, Map.of());
    Map<TopicPartition, NewOffset> wanted = wanted(connection, admin, routing, committed);
    connection.commit();
    List<Move> moves = moves(wanted, committed);
    List<Move> changes = moves.stream().filter(Move::changesAnything).toList();
    if (!options.json()) {
      print(moves);
    }
    if (change().isDryRun()) {
      change().sayDryRun();
    } else if (!changes.isEmpty()) {
      change().confirm(consequence(changes));
      apply(connection, admin, changes);
    }
    if (options.json()) {
      print(new Report(group, change().isDryRun(), moves));
    } else if (changes.isEmpty()) {
      spec.commandLine().getErr().println("onceward: the group stands there already");
    }
    return ExitCode.OK.number();
  }

  private Map<TopicPartition, NewOffset> wanted(
      Connection connection, Admin admin, RelayRouting routing, Map<TopicPartition, Long> committed)
      throws SQLException {
    if (!toOffsets.isEmpty()) {
      return OffsetReset.check(admin, toOffsets);
    }
    UUID eventId = toEvent;
    if (eventId != null) {
      EventReset events = new EventReset(routing);
      TopicPartition partition = events.partition(connection, eventId);
      if (!Topics.partitions(admin, partition.topic()).contains(partition)) {
        throw Refusal.of(
            "topic " + partition.topic() + " has no partition " + partition.partition(),
            "Let the topic have its partitions back");
      }
      OffsetRange range =
          OffsetRange.of(admin, Set.of(partition)).getOrDefault(partition, new OffsetRange(0, 0));
      return Map.of(partition, new NewOffset(events.find(partition, range, eventId), null));
    }
    Instant now = Instant.now();
    Map<TopicPartition, OffsetRange> ranges = OffsetRange.of(admin, scope(admin, committed));
    TimeReset times = new TimeReset(admin);
    if (toTime != null) {
      return times.find(ranges, toTime, now);
    }
    return behind(times.find(ranges, backFrom(now), now), committed);
  }

  private Instant backFrom(Instant now) {
    try {
      Instant time = now.minus(Objects.requireNonNull(back));
      if (time.isBefore(Instant.EPOCH)) {
        throw wrong("--by -" + back + " reaches back before 1970");
      }
      return time;
    } catch (DateTimeException | ArithmeticException e) {
      throw wrong("--by -" + back + " reaches back before 1970");
    }
  }

  /** Without what would move forward. */
  private static Map<TopicPartition, NewOffset> behind(
      Map<TopicPartition, NewOffset> found, Map<TopicPartition, Long> committed) {
    Map<TopicPartition, NewOffset> behind = new HashMap<>();
    found.forEach(
        (partition, offset) -> {
          Long old = committed.get(partition);
          if (old != null) {
            behind.put(
                partition,
                old < offset.offset()
                    ? new NewOffset(old, "stays: it is further back already")
                    : offset);
          }
        });
    return behind;
  }

  private Set<TopicPartition> scope(Admin admin, Map<TopicPartition, Long> committed) {
    Set<TopicPartition> scope = new TreeSet<>(Topics.ORDER);
    Set<String> known = new HashSet<>();
    committed.keySet().forEach(partition -> known.add(partition.topic()));
    for (String topic : topics) {
      List<TopicPartition> partitions = Topics.partitions(admin, topic);
      if (!known.contains(topic)) {
        throw Refusal.of(
            "group \"" + group + "\" has never read topic " + topic,
            "Name one of: " + known.stream().sorted().collect(Collectors.joining(", ")));
      }
      scope.addAll(partitions);
    }
    if (topics.isEmpty()) {
      // A topic that was deleted leaves its committed offsets behind for a while.
      known.retainAll(KafkaAccess.await(admin.listTopics().names()));
      scope.addAll(Topics.partitions(admin, known));
    }
    if (scope.isEmpty()) {
      throw Refusal.of(
          "group \"" + group + "\" has not read any topic that there is",
          "Name where to with --to-offset");
    }
    return scope;
  }

  private static List<Move> moves(
      Map<TopicPartition, NewOffset> wanted, Map<TopicPartition, Long> committed) {
    List<Move> moves = new ArrayList<>();
    Topics.ordered(wanted)
        .forEach(
            (partition, to) -> {
              Move move =
                  new Move(
                      partition.topic(),
                      partition.partition(),
                      committed.get(partition),
                      to.offset(),
                      to.note());
              moves.add(
                  move.skippedCount() == 0
                      ? move
                      : new Move(
                          move.topic(),
                          move.partition(),
                          move.oldOffset(),
                          move.newOffset(),
                          "skips " + move.skippedCount() + " records that were not read"));
            });
    return moves;
  }

  private String consequence(List<Move> changes) {
    long skipped = changes.stream().mapToLong(Move::skippedCount).sum();
    return "Moves group \""
        + group
        + "\" in "
        + changes.size()
        + " partitions"
        + (skipped == 0 ? "" : ", past " + skipped + " records that it has not read");
  }

  private void apply(Connection connection, Admin admin, List<Move> changes) throws SQLException {
    Map<TopicPartition, OffsetAndMetadata> request = new HashMap<>();
    changes.forEach(
        move ->
            request.put(
                new TopicPartition(move.topic(), move.partition()),
                new OffsetAndMetadata(move.newOffset())));
    StartedAction action = change().start(connection);
    try {
      KafkaAccess.await(admin.alterConsumerGroupOffsets(group, request).all());
    } catch (UnknownMemberIdException | GroupNotEmptyException | RebalanceInProgressException e) {
      action.failed(connection, "the group is live; nothing was moved");
      throw Refusal.of(
          "group \"" + group + "\" has become live; nothing was moved", "Stop its consumers first");
    } catch (KafkaException | StartupException e) {
      action.failed(connection, String.valueOf(e.getMessage()));
      throw e;
    }
    action.succeeded(
        connection,
        "group "
            + group
            + ": "
            + changes.stream()
                .map(
                    move ->
                        move.topic()
                            + "-"
                            + move.partition()
                            + " "
                            + (move.oldOffset() == null ? "-" : move.oldOffset())
                            + " -> "
                            + move.newOffset())
                .collect(Collectors.joining(", ")));
  }

  /** A reset as JSON. */
  record Report(String group, boolean dryRun, List<Move> partitions) {}

  private void print(Report report) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(OpsOptions.toJson(report));
    out.flush();
  }

  private void print(List<Move> moves) {
    TextTable table = new TextTable("TOPIC", "PARTITION", "OLD", "NEW", "NOTE");
    moves.forEach(
        move ->
            table.row(
                move.topic(), move.partition(), move.oldOffset(), move.newOffset(), move.note()));
    table.print(spec.commandLine().getOut());
  }
}
