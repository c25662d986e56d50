package dev.onceward.ops.event;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
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

  /** Several answers as JSON. */
  record Ambiguous(List<Subject> found) {}

  @Override
  public Integer call() throws SQLException {
    Settings settings = options.settings();
    EventSearch search = EventSearch.from(settings);
    try (Connection connection = options.connect(settings, OpsOptions.READING_ROLE)) {
      connection.setReadOnly(true);
      List<Subject> subjects = search.find(connection, id, workspaceId);
      if (subjects.size() != 1) {
        return refuse(subjects);
      }
      EventSearch.Told told = search.tell(connection, subjects.get(0), withPayload);
      print(told);
      return told.kafkaAway() ? ExitCode.UNAVAILABLE.number() : ExitCode.OK.number();
    }
  }

  /** The answer as JSON. */
  record Answer(Life life, Why why) {}

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

  private void print(EventSearch.Told told) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(new Answer(told.life(), told.why())));
      out.flush();
    } else {
      LifeText.print(told.life(), told.why(), out);
    }
  }
}
