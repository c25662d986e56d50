package dev.onceward.ops.deadletter;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward dead-letters list|show|groups|redrive|discard}. */
@Command(
    name = "dead-letters",
    mixinStandardHelpOptions = true,
    description = {
      "Shows, redrives and discards what nobody tries again by itself:",
      "events that the relay could not send, operations that failed or died, and records that a"
          + " consumer set aside in a dead-letter topic."
    },
    subcommands = {
      ListDeadLetters.class,
      ShowDeadLetter.class,
      GroupDeadLetters.class,
      RedriveDeadLetters.class,
      DiscardDeadLetters.class
    },
    footer = {
      "",
      "Examples:",
      "  onceward dead-letters groups --from 1d",
      "  onceward dead-letters redrive --group 3fa91c02 --dry-run"
    })
public final class DeadLettersCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what: list, show, groups, redrive or discard");
  }
}
