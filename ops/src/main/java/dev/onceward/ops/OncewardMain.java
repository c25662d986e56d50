package dev.onceward.ops;

import dev.onceward.ops.relay.RelayCommand;
import dev.onceward.ops.status.StatusCommand;
import dev.onceward.ops.workspace.HooksCommand;
import dev.onceward.ops.workspace.KeysCommand;
import dev.onceward.ops.workspace.UsersCommand;
import dev.onceward.ops.workspace.WorkspacesCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root of the command line. */
@Command(
    name = "onceward",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "One request, one task, one effect, and a proof of it.",
    subcommands = {
      StatusCommand.class,
      RelayCommand.class,
      WorkspacesCommand.class,
      UsersCommand.class,
      KeysCommand.class,
      HooksCommand.class,
      HelpCommand.class
    },
    footer = {
      "",
      "On this machine alone, with everything it needs:",
      "  up      Starts the whole pipeline and stays.",
      "  demo    Sends one request twice through it and shows what happened.",
      "  bench   Measures it."
    })
public final class OncewardMain implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String... arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line with our way to report failures; for {@code main} and for tests. */
  static CommandLine commandLine() {
    return new CommandLine(new OncewardMain())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(new FailureReport());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a command");
  }
}
