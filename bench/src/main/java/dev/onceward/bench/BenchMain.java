package dev.onceward.bench;

import dev.onceward.bench.page.PageCommand;
import dev.onceward.bench.relay.GrowthCommand;
import dev.onceward.bench.relay.LatencyCommand;
import dev.onceward.bench.relay.RelayCommand;
import dev.onceward.bench.relay.TrainCommand;
import dev.onceward.local.FailureReport;
import dev.onceward.local.StopSignal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward bench}. */
@Command(
    name = "onceward bench",
    mixinStandardHelpOptions = true,
    description = "Measures on this machine.",
    subcommands = {
      AllCommand.class,
      ApiCommand.class,
      GrowthCommand.class,
      LatencyCommand.class,
      PageCommand.class,
      RelayCommand.class,
      TrainCommand.class,
      WorkersCommand.class,
      WritesCommand.class
    })
public final class BenchMain implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the measurement and ends the JVM with its exit code. */
  public static void main(String... arguments) {
    StopSignal.endWith(() -> commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new BenchMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(new FailureReport());
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what: " + String.join(", ", spec.subcommands().keySet()));
  }
}
