package dev.onceward.ops.event;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward events list|show}. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    description = "Lists the events of the outbox, or tells the life of one from any of its ids.",
    subcommands = {EventListCommand.class, EventShowCommand.class})
public final class EventsCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what: list or show");
  }
}
