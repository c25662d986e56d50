package dev.onceward.ops.event;

import dev.onceward.db.relay.RelayControl;
import dev.onceward.db.relay.RelayProgress;
import dev.onceward.db.relay.RelayRefusedException;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.kafka.EventTopics;
import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.ops.kafka.KafkaFailures;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code onceward events show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description =
        "Tells the whole life of one event or operation: request, transaction, delivery, attempts,"
            + " result; and why it is not finished, with the command that helps.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:shown",
      "1:nothing has this id, or several things have: they are listed",
      "2:wrong command line",
      "3:wrong settings",
      "4:the database is away, or Kafka is: then the rest is shown"
    },
    footer = {
      "",
      "Examples:",
      "  onceward events show 0190e0a4-0000-7000-8000-000000000001",
      "  onceward events show order-4711-paid --workspace 0190e0a4-0000-7000-8000-000000000002",
      "  onceward events show req-8f3a --payload --output json"
    })
final class EventShowCommand implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Parameters(
      paramLabel = "ID",
      description = "An event id, operation id, idempotency key or request id.")
  private String id = "";

  @Option(names = "--workspace", paramLabel = "ID", description = "Looks in this one only.")
  private @Nullable UUID workspaceId;

  @Option(
      names = "--payload",
      description = "Shows the event's payload and the operation's result. They may be personal.")
  private boolean withPayload;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The answer as JSON. */
  record Told(Life life, Why why) {}

  /** Several answers as JSON. */
  record Ambiguous(List<Subject> found) {}

  @Override
  public Integer call() throws SQLException {
    Settings settings = options.settings();
    String relay =
        settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay.");
    EventTopics topics = EventTopics.from(settings);
    KafkaAccess kafka = KafkaAccess.from(settings);
    try (Connection connection = options.connect(settings, OpsOptions.READING_ROLE)) {
      connection.setReadOnly(true);
      RelayProgress progress = RelayProgress.read(connection, relay);
      List<Subject> subjects = find(connection, progress);
      if (subjects.size() != 1) {
        return refuse(subjects);
      }
      Life life = new LifeStore(connection, relay, withPayload).read(subjects.get(0));
      RelayControl.Relay look = look(connection, relay);
      Life traced = trace(life, topics, kafka, progress);
      print(traced, Diagnosis.of(traced, look, progress.now()));
      return kafkaAway ? ExitCode.UNAVAILABLE.number() : ExitCode.OK.number();
    }
  }

  private boolean kafkaAway;

  private List<Subject> find(Connection connection, RelayProgress progress) throws SQLException {
    SubjectStore store = new SubjectStore(connection);
    UUID uuid = uuid(id);
    List<Subject> found = uuid == null ? List.of() : store.byId(uuid, workspaceId);
    if (found.isEmpty()) {
      found = store.byKey(id, workspaceId);
    }
    if (found.isEmpty()) {
      Instant since = progress.outboxSince();
      found =
          store.byRequestId(
              id, workspaceId, progress.now(), since == null ? progress.now() : since);
    }
    return found;
  }

  private static @Nullable UUID uuid(String text) {
    try {
      return text.length() == 36 ? UUID.fromString(text) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private int refuse(List<Subject> subjects) {
    if (subjects.isEmpty()) {
      throw new StartupException(
          ExitCode.FAILURE,
          "nothing has the id \""
              + TextTable.printable(id)
              + "\""
              + (workspaceId == null ? "" : " in workspace " + workspaceId),
          "Give an event id, operation id, idempotency key (kept for two days) or request id; see"
              + " also: onceward events list",
          null);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(new Ambiguous(subjects)));
    } else {
      TextTable table = new TextTable("FOUND AS", "WORKSPACE", "OPERATION", "EVENT", "TIME");
      for (Subject subject : subjects) {
        RequestLife request = subject.request();
        table.row(
            subject.foundAs(),
            subject.workspaceId(),
            subject.operationId(),
            subject.eventId(),
            request == null ? null : request.at());
      }
      table.print(out);
    }
    out.flush();
    throw new StartupException(
        ExitCode.FAILURE,
        subjects.size() + " things have the id \"" + TextTable.printable(id) + "\"",
        "Give --workspace, or the operation's or event's own id",
        null);
  }

  private static RelayControl.@Nullable Relay look(Connection connection, String relay)
      throws SQLException {
    try {
      return RelayControl.look(connection, relay);
    } catch (RelayRefusedException noneHasRun) {
      return null;
    }
  }

  private Life trace(Life life, EventTopics topics, KafkaAccess kafka, RelayProgress progress) {
    if (life.events().isEmpty()) {
      return life;
    }
    try {
      Consumer<byte[], byte[]> consumer = kafka.consumer();
      try {
        return new KafkaTrace(consumer, topics, progress.pinnedPartitions()).trace(life);
      } finally {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
      }
    } catch (StartupException away) {
      return withoutKafka(life, away);
    } catch (KafkaException failure) {
      StartupException known = KafkaFailures.classify(failure);
      if (known == null) {
        throw failure;
      }
      return withoutKafka(life, known);
    }
  }

  private Life withoutKafka(Life life, StartupException why) {
    kafkaAway = true;
    return life.withKafka(life.events(), "not asked: " + why.getMessage() + ". " + why.remedy());
  }

  private void print(Life life, Why why) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(new Told(life, why)));
      out.flush();
    } else {
      LifeText.print(life, why, out);
    }
  }
}
