package dev.onceward.ops.audit;

import dev.onceward.db.relay.RelayProgress;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.SpanArgument;
import dev.onceward.ops.TimeArgument;
import dev.onceward.ops.kafka.EventTopics;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.ops.show.Progress;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward audit}. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = {
      "Compares outbox, Kafka and operations over a range of time, and says whether all is proven.",
      "",
      "missing: an audited event without a record; expired: the same, but Kafka has removed what is"
          + " that old; phantom: a record without an event; duplicate: more than one record (replays"
          + " and repairs are counted apart); out of order: behind an event of the same aggregate"
          + " that was committed later; stuck: an event that does not leave the outbox, or an"
          + " operation that is due and not taken up."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all is proven",
      "1:something is missing, phantom, duplicate, out of order or stuck",
      "2:wrong command line",
      "3:wrong settings",
      "4:the database or Kafka is away, refuses, or is not prepared",
      "5:nothing wrong was found, but not all could be proven; the lines \"Not proven\" say why"
    },
    footer = {
      "",
      "Examples:",
      "  onceward audit",
      "  onceward audit --from 24h --to 23h --output json",
      "  onceward audit --from 2026-01-31T12:00:00Z --workspace 0190e0a4-0000-7000-8000-000000000001"
    })
public final class AuditCommand implements Callable<Integer> {

  /** Transactions that were open when the watermark was taken are mostly committed by then. */
  private static final Duration BEHIND_WATERMARK = Duration.ofSeconds(10);

  private static final Duration DEFAULT_RANGE = Duration.ofHours(1);

  @Mixin private OpsOptions options = new OpsOptions();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeArgument.class,
      description =
          "Events from then on, by the time in their ids: 2026-01-31T12:00:00Z, or how long ago:"
              + " 10m, 2h, 7d (default: an hour before --to).")
  private @Nullable Instant from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeArgument.class,
      description = "Events before then (default: 10 s before the relay's audited watermark).")
  private @Nullable Instant to;

  @Option(names = "--workspace", paramLabel = "ID", description = "Events of this one only.")
  private @Nullable UUID workspaceId;

  @Option(
      names = "--stuck-after",
      paramLabel = "SPAN",
      converter = SpanArgument.class,
      defaultValue = "3m",
      description = "How long something may be due (default: ${DEFAULT-VALUE}).")
  private Duration stuckAfter = Duration.ofMinutes(3);

  @Option(
      names = "--clocks-apart",
      paramLabel = "SPAN",
      converter = SpanArgument.class,
      defaultValue = "10m",
      description =
          "How much earlier than its event a record may be stamped (default: ${DEFAULT-VALUE}).")
  private Duration clocksApart = Duration.ofMinutes(10);

  @Option(
      names = "--list",
      paramLabel = "COUNT",
      defaultValue = "20",
      description = "Findings of each kind that are named (default: ${DEFAULT-VALUE}).")
  private int listed = 20;

  @Option(
      names = "--portion",
      paramLabel = "COUNT",
      defaultValue = "" + OutboxPortion.MOST_ROWS,
      description =
          "Events compared at a time, for each of which Kafka is read once; a million take about"
              + " 80 MB (default: ${DEFAULT-VALUE}).")
  private int portion = OutboxPortion.MOST_ROWS;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException {
    requireBetween("--list", listed, 0, 100_000);
    requireBetween("--portion", portion, 1, 10_000_000);
    Settings settings = options.settings();
    String relay =
        settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay.");
    EventTopics topics = EventTopics.from(settings);
    KafkaAccess kafka = KafkaAccess.from(settings);
    try (Connection connection = options.connect(settings, OpsOptions.READING_ROLE)) {
      AuditStore store = new AuditStore(connection);
      RelayProgress before = look(connection, relay);
      AuditScope asked = scope(before);
      AuditTally tally = new AuditTally(listed);
      AuditScope kept = keptPart(asked, before);
      if (kept != null) {
        compare(kept, before, topics, store, kafka, tally);
      }
      Map<String, Long> operations = new OperationAudit(connection).run(asked, tally);
      refuseUnknownWorkspace(store, tally, operations);
      List<String> doubts = Doubts.about(asked, to == null, before, look(connection, relay), tally);
      return print(AuditReport.of(asked, before, tally, operations, doubts));
    }
  }

  private void requireBetween(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(), option + " must be " + least + " to " + most);
    }
  }

  private static RelayProgress look(Connection connection, String relay) throws SQLException {
    RelayProgress progress = RelayProgress.read(connection, relay);
    connection.commit();
    return progress;
  }

  private AuditScope scope(RelayProgress relay) {
    Instant watermark = relay.deliveredAt();
    Instant end =
        to != null ? to : watermark == null ? relay.now() : watermark.minus(BEHIND_WATERMARK);
    Instant begin = from != null ? from : end.minus(DEFAULT_RANGE);
    if (!begin.isBefore(end)) {
      throw new ParameterException(
          spec.commandLine(),
          "the range is empty: it begins at "
              + begin
              + " and ends at "
              + end
              + (to == null ? ", 10 s before the audited watermark" : ""));
    }
    return new AuditScope(begin, end, workspaceId, stuckAfter, clocksApart, listed);
  }

  /** What the outbox still holds of the range; null if that is nothing. */
  private static @Nullable AuditScope keptPart(AuditScope asked, RelayProgress relay) {
    Instant since = relay.outboxSince();
    if (since == null || !asked.from().isBefore(since)) {
      return asked;
    }
    return asked.to().isAfter(since) ? asked.since(since) : null;
  }

  private void compare(
      AuditScope scope,
      RelayProgress relay,
      EventTopics topics,
      AuditStore store,
      KafkaAccess kafka,
      AuditTally tally)
      throws SQLException {
    Consumer<byte[], byte[]> consumer = kafka.consumer();
    try (Reading reading = new Reading(spec.commandLine().getErr())) {
      new RangeAudit(scope, relay, topics, store, consumer, tally, portion).run(reading);
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  /** Shows one bar for each portion. */
  private static final class Reading implements RangeAudit.Watcher, AutoCloseable {
    private final PrintWriter err;
    private @Nullable Progress bar;

    Reading(PrintWriter err) {
      this.err = err;
    }

    @Override
    public void begins(long records) {
      close();
      bar = Progress.of(err, "Reading Kafka", "records", records);
    }

    @Override
    public void read(long records) {
      if (bar != null) {
        bar.advance(records);
      }
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
        bar = null;
      }
    }
  }

  private void refuseUnknownWorkspace(
      AuditStore store, AuditTally tally, Map<String, Long> operations) throws SQLException {
    if (workspaceId != null
        && tally.rows == 0
        && operations.isEmpty()
        && !store.workspaceExists(workspaceId)) {
      throw new StartupException(
          ExitCode.FAILURE,
          "there is no workspace " + workspaceId,
          "See which there are by: onceward workspaces list",
          null);
    }
  }

  private int print(AuditReport report) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
      out.flush();
    } else {
      AuditText.print(report, out);
    }
    return report.verdict().exitCode();
  }
}
