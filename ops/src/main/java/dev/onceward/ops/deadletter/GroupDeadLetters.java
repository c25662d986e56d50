package dev.onceward.ops.deadletter;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code onceward dead-letters groups}. */
@Command(
    name = "groups",
    mixinStandardHelpOptions = true,
    description = {
      "Folds dead letters by their cause: the event type, the code, and the summary without its"
          + " numbers, ids and quoted values.",
      "A group's id depends on its cause alone, so it is the same tomorrow."
    },
    footer = {
      "",
      "Examples:",
      "  onceward dead-letters groups --from 1d",
      "  onceward dead-letters redrive --group 3fa91c02 --dry-run"
    })
final class GroupDeadLetters implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Mixin private DeadLetterFilter filter = new DeadLetterFilter();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException {
    filter.check(spec);
    CauseGroups groups = new CauseGroups();
    try (DeadLetters letters = DeadLetters.open(options, OpsOptions.READING_ROLE)) {
      letters.forEach(filter, false, groups::add);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(OpsOptions.toJson(new Listing(groups.groups())));
    } else {
      print(groups.groups(), out);
    }
    out.flush();
    return ExitCode.OK.number();
  }

  /** The groups as JSON. */
  record Listing(List<CauseGroups.Group> groups) {}

  /** A table of groups, the largest first. */
  static void print(List<CauseGroups.Group> groups, PrintWriter out) {
    if (groups.isEmpty()) {
      out.println("no dead letters");
      return;
    }
    TextTable table =
        new TextTable("GROUP", "COUNT", "WHERE", "FIRST", "LAST", "TYPE", "CODE", "SUMMARY");
    for (CauseGroups.Group group : groups) {
      table.row(
          group.id(),
          group.count(),
          group.kinds().entrySet().stream()
              .map(kind -> kind.getKey() + " " + kind.getValue())
              .collect(Collectors.joining(", ")),
          group.firstAt(),
          group.lastAt(),
          group.eventType(),
          group.code(),
          group.summary());
    }
    table.print(out);
  }
}
