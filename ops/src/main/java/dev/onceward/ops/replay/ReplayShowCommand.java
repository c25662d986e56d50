package dev.onceward.ops.replay;

import dev.onceward.ops.OpsOptions;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code onceward replay show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows one replay: who, which events, where to, how far.",
    footer = {"", "Example:", "  onceward replay show ID --output json"})
final class ReplayShowCommand implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private UUID id = new UUID(0, 0);

  @Override
  public Integer call() throws SQLException {
    ReplayReport report;
    try (Connection connection = options.connect(options.settings(), OpsOptions.READING_ROLE)) {
      report = ReplayDesk.show(connection, id);
    }
    show(report, options, spec.commandLine().getOut());
    return ExitCode.OK.number();
  }

  static void show(ReplayReport report, OpsOptions options, PrintWriter out) {
    if (options.json()) {
      out.println(OpsOptions.toJson(report));
      out.flush();
    } else {
      report.print(out);
    }
  }
}
