package dev.onceward.ops.change;

import dev.onceward.db.action.OpsAction;
import dev.onceward.db.action.OpsActionStore;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward actions}. */
@Command(
    name = "actions",
    mixinStandardHelpOptions = true,
    description = "Lists what operators have changed with this command line, newest first.",
    footer = {
      "",
      "Examples:",
      "  onceward actions --limit 20",
      "  onceward actions --before 1234 --output json"
    })
public final class ActionsCommand implements Callable<Integer> {

  private static final int MAX_ROWS = 10_000;

  @Mixin private OpsOptions options = new OpsOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--limit",
      defaultValue = "50",
      paramLabel = "ROWS",
      description = "1 to 10000 (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--before", paramLabel = "ID", description = "Only actions older than this one.")
  private @Nullable Long before;

  @Override
  public Integer call() throws SQLException {
    if (limit < 1 || limit > MAX_ROWS) {
      throw new ParameterException(
          spec.commandLine(), "--limit " + limit + " is not between 1 and " + MAX_ROWS);
    }
    List<OpsAction> actions;
    try (Connection connection = options.connect(options.settings(), OpsOptions.READING_ROLE)) {
      actions = OpsActionStore.list(connection, before, limit);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(actions));
    } else {
      table(actions).print(out);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  private static TextTable table(List<OpsAction> actions) {
    TextTable table = new TextTable("ID", "AT", "WHO", "COMMAND", "ARGUMENTS", "STATE", "RESULT");
    for (OpsAction action : actions) {
      table.row(
          action.id(),
          action.actedAt(),
          action.operator(),
          action.command(),
          action.arguments().isEmpty() ? null : action.arguments(),
          action.state().label()
              + (action.startedId() == null
                  ? ""
                  : String.format(Locale.ROOT, " (%d)", action.startedId())),
          action.result());
    }
    return table;
  }
}
