package dev.onceward.ops.status;

import dev.onceward.ops.OpsOptions;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onceward status}. Exit codes: 0 all is well, 1 there are findings, 4 no database. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows slot, relay, outbox and operations, and what needs a hand.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all is well",
      "1:there are findings",
      "2:wrong command line",
      "3:wrong settings",
      "4:the database is away or not prepared"
    },
    footer = {
      "",
      "Examples:",
      "  onceward status",
      "  onceward status --config ops.properties --output json"
    })
public final class StatusCommand implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException {
    Settings settings = options.settings();
    String slotName =
        settings.text("onceward.relay.slot-name", "onceward", "Replication slot of the relay.");
    PipelineStatus status;
    try (Connection connection = options.connect(settings, OpsOptions.READING_ROLE)) {
      status = new PipelineStatusStore(connection).read(slotName);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(options.json() ? OpsOptions.toJson(status) + "\n" : StatusText.render(status));
    out.flush();
    return status.findings().isEmpty() ? ExitCode.OK.number() : ExitCode.FAILURE.number();
  }
}
