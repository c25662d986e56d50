package dev.onceward.ops;

import dev.onceward.ops.audit.AuditCommand;
import dev.onceward.ops.change.ActionsCommand;
import dev.onceward.ops.console.ConsoleCommand;
import dev.onceward.ops.deadletter.DeadLettersCommand;
import dev.onceward.ops.doctor.DoctorCommand;
import dev.onceward.ops.event.EventsCommand;
import dev.onceward.ops.offsets.OffsetsCommand;
import dev.onceward.ops.relay.RelayCommand;
import dev.onceward.ops.replay.ReplayCommand;
import dev.onceward.ops.slot.SlotCommand;
import dev.onceward.ops.status.StatusCommand;
import dev.onceward.ops.workspace.HooksCommand;
import dev.onceward.ops.workspace.KeysCommand;
import dev.onceward.ops.workspace.UsersCommand;
import dev.onceward.ops.workspace.WorkspacesCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IFactory;
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
      EventsCommand.class,
      AuditCommand.class,
      DoctorCommand.class,
      RelayCommand.class,
      SlotCommand.class,
      DeadLettersCommand.class,
      WorkspacesCommand.class,
      UsersCommand.class,
      KeysCommand.class,
      HooksCommand.class,
      ActionsCommand.class,
      CompletionCommand.class,
      ReplayCommand.class,
      OffsetsCommand.class,
      ConsoleCommand.class,
      HelpCommand.class
    },
    footer = {
      "",
      "On this machine alone, with everything it needs:",
      "  up      Starts the whole pipeline and stays.",
      "  demo    Sends one request twice through it and shows what happened.",
      "  bench   Measures it.",
      "",
      "Settings come from system properties, the environment (ONCEWARD_DATABASE_URL, …), or the"
          + " file of --config or ONCEWARD_CONFIG; passwords never from the command line.",
      "",
      "Examples:",
      "  onceward status --config ops.properties",
      "  onceward doctor",
      "  source <(onceward completion)"
    })
public final class OncewardMain implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String... arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line with our way to report failures; for {@code main} and for tests. */
  static CommandLine commandLine() {
    return commandLine(CommandLine.defaultFactory());
  }

  /**
   * The same with the parts that a factory makes.
   *
   * @param factory makes commands and their options
   */
  static CommandLine commandLine(IFactory factory) {
    CommandLine commandLine =
        new CommandLine(new OncewardMain(), factory)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(new FailureReport());
    ExitCodes.describeOn(commandLine);
    return commandLine;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name a command");
  }
}
