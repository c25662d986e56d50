package dev.onceward.ops.replay;

import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code onceward replay resume}. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description =
        "Goes on with a replay that was stopped or killed, without a gap and without sending again"
            + " what Kafka holds of it.",
    footer = {"", "Example:", "  onceward replay resume ID --rate 200"})
final class ReplayResumeCommand implements Callable<Integer> {

  @Mixin private OpsOptions options = new OpsOptions();

  @Mixin private @Nullable ChangeOptions changeOptions;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "ID", description = "Its id.")
  private UUID id = new UUID(0, 0);

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Events per second from now on (default: as before).")
  private @Nullable Integer rate;

  @Override
  public Integer call() throws SQLException, InterruptedException {
    if (rate != null) {
      ReplayCommand.requireRate(spec, rate);
    }
    ChangeOptions change = Objects.requireNonNull(changeOptions, "set by picocli");
    try (ReplaySession session = ReplaySession.open(options, spec)) {
      Replay replay = session.desk().find(id);
      ReplayDesk.requireResumable(replay, replay.processId() == null);
      if (change.isDryRun()) {
        PrintWriter out = spec.commandLine().getOut();
        ReplayShowCommand.show(ReplayReport.of(replay), options, out);
        change.sayDryRun();
        return ExitCode.OK.number();
      }
      return session.resume(change, id, rate);
    }
  }
}
