package dev.onceward.ops.deadletter;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.show.TextTable;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward dead-letters list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists dead letters, and events that the relay has parked, newest first.",
    footer = {
      "",
      "Examples:",
      "  onceward dead-letters list --from 1h",
      "  onceward dead-letters list --kind operation --code PLATFORM_REFUSED --output json"
    })
final class ListDeadLetters implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Mixin private DeadLetterFilter filter = new DeadLetterFilter();

  @Option(
      names = "--limit",
      paramLabel = "NUMBER",
      defaultValue = "50",
      description = "At most so many, the newest (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--discarded", description = "Lists those that were discarded instead.")
  private boolean discarded;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws SQLException {
    filter.check(spec);
    if (limit < 1) {
      throw new ParameterException(spec.commandLine(), "--limit must be 1 or more, not " + limit);
    }
    NewestLetters found;
    try (DeadLetters letters = DeadLetters.open(options, OpsOptions.READING_ROLE)) {
      found = NewestLetters.of(letters, filter, discarded, limit);
    }
    List<DeadLetter> listed = found.newest();
    PrintWriter out = spec.commandLine().getOut();
    if (options.json()) {
      out.println(
          OpsOptions.toJson(
              new Listing(found.total(), listed.stream().map(ListedLetter::of).toList())));
    } else {
      print(listed, out);
      if (found.total() > listed.size()) {
        out.println(
            "the newest "
                + listed.size()
                + " of "
                + found.total()
                + "; see groups, or give a filter");
      }
    }
    out.flush();
    return ExitCode.OK.number();
  }

  /**
   * The list as JSON.
   *
   * @param total how many match
   */
  record Listing(long total, List<ListedLetter> deadLetters) {}

  private static void print(List<DeadLetter> letters, PrintWriter out) {
    if (letters.isEmpty()) {
      out.println("no dead letters");
      return;
    }
    TextTable table =
        new TextTable("AT", "KIND", "STATE", "TYPE", "CODE", "GROUP", "TRIED", "REDRIVEN", "ID");
    for (DeadLetter letter : letters) {
      table.row(
          letter.at(),
          letter.kind().label(),
          letter.state(),
          letter.eventType(),
          letter.code(),
          letter.cause().groupId(),
          letter.attempts(),
          letter.redrives(),
          letter.id());
    }
    table.print(out);
  }
}
