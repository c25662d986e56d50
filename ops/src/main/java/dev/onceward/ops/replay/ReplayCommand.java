package dev.onceward.ops.replay;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward replay}, and below it {@code resume|list|show}. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Sends events again as they were: key, value, headers and partition, marked with the header"
          + " replay_id.",
      "Chosen are events of the outbox that are proven to be in Kafka; what is pending, parked or"
          + " dead is left out. Workers do not run finished tasks again."
    },
    subcommands = {ReplayResumeCommand.class, ReplayListCommand.class, ReplayShowCommand.class},
    footer = {
      "",
      "Interrupted by Ctrl-C or SIGTERM it ends between two pages (exit code 130 or 143) and says how to"
          + " go on.",
      "",
      "Examples:",
      "  onceward replay --last 1h --workspace ID --dry-run",
      "  onceward replay --last 1h --workspace ID --to-topic onceward.replay-1",
      "  onceward replay --aggregate store/42 --yes --output json",
      "  onceward replay --from-event ID --to-event ID --rate 50"
    })
public final class ReplayCommand implements Callable<Integer> {

  static final int MAX_RATE = 1_000_000;

  @Mixin private OpsOptions options = new OpsOptions();

  @Mixin private @Nullable ChangeOptions changeOptions;

  @Mixin private SelectionOptions selected = new SelectionOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--to-topic",
      paramLabel = "NAME",
      description =
          "A private topic, for one group; made if it is missing. Otherwise each event goes to its"
              + " own topic.")
  private @Nullable String toTopic;

  @Option(
      names = "--rate",
      defaultValue = "1000",
      paramLabel = "N",
      description = "Events per second, 1 to 1000000 (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Override
  public Integer call() throws SQLException, InterruptedException {
    requireRate(spec, rate);
    EventSelection selection = selected.selection(spec, Instant.now());
    PrintWriter out = spec.commandLine().getOut();
    ChangeOptions change = Objects.requireNonNull(changeOptions, "set by picocli");
    try (ReplaySession session = ReplaySession.open(options, spec)) {
      ReplayDesk.Planned planned = session.desk().plan(selection, toTopic, rate);
      PlanReport report = planned.report();
      if (!options.json()) {
        report.print(out);
      }
      if (change.isDryRun()) {
        if (options.json()) {
          out.println(OpsOptions.toJson(report));
          out.flush();
        }
        change.sayDryRun();
        return ExitCode.OK.number();
      }
      change.confirm(
          "Sends "
              + report.chosenCount()
              + " events again, to "
              + (toTopic == null ? "their own topics" : toTopic));
      return session.start(change, planned);
    }
  }

  static void requireRate(CommandSpec spec, int rate) {
    if (rate < 1 || rate > MAX_RATE) {
      throw new ParameterException(
          spec.commandLine(), "--rate " + rate + " is not between 1 and " + MAX_RATE);
    }
  }
}
