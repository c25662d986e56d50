package dev.onceward.ops.replay;

import dev.onceward.ops.OpsOptions;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward replay list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists replays, newest first.",
    footer = {"", "Example:", "  onceward replay list --limit 5"})
final class ReplayListCommand implements Callable<Integer> {

  private static final int MAX_ROWS = 10_000;

  @Mixin private OpsOptions options = new OpsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--limit",
      defaultValue = "50",
      paramLabel = "ROWS",
      description = "1 to 10000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws SQLException {
    if (limit < 1 || limit > MAX_ROWS) {
      throw new ParameterException(
          spec.commandLine(), "--limit " + limit + " is not between 1 and " + MAX_ROWS);
    }
    List<ReplayReport> reports;
    try (Connection connection = options.connect(options.settings(), OpsOptions.READING_ROLE)) {
      reports = ReplayDesk.newest(connection, limit);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(reports));
      out.flush();
    } else {
      ReplayReport.printAll(reports, out);
    }
    return ExitCode.OK.number();
  }
}
