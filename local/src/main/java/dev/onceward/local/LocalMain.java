package dev.onceward.local;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that run the whole pipeline on this machine. */
@Command(
    name = "onceward",
    mixinStandardHelpOptions = true,
    description = "The whole pipeline on this machine.",
    subcommands = {
      UpCommand.class,
      DemoCommand.class,
      TortureCommand.class,
      CrashMatrixCommand.class
    })
public final class LocalMain implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String... arguments) {
    StopSignal.endWith(() -> commandLine().execute(arguments));
  }

  /** The command line with our way to report failures; for {@code main} and for tests. */
  static CommandLine commandLine() {
    return new CommandLine(new LocalMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(new FailureReport());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a command");
  }
}
